"""Whether two passages that answer the same question disagree, fact by fact.

Only asked of two sources of equal standing that govern one subject: there, another amount for the same thing, or a
"must" against a "may", is a contradiction and not another topic.
"""

from __future__ import annotations

from collections.abc import Sequence

from chat.rules.verify.facts import Facts, Value
from chat.rules.verify.reading import read
from documents.rules.passage import Passage

ENOUGH_SHARED = 0.7


def may_conflict(a: Passage, b: Passage) -> bool:
    """Two documents of the same authority that share a governed subject and a scope."""
    return (
        a.document != b.document
        and a.authority is b.authority
        and bool(a.subjects & b.subjects)
        and _meet(a.scope_units, b.scope_units)
        and _meet(a.scope_jurisdictions, b.scope_jurisdictions)
        and _meet(a.scope_products, b.scope_products)
    )


def dispute(a: Sequence[str], b: Sequence[str]) -> tuple[int, int] | None:
    """Which sentence of `a` and which of `b` give different amounts of one unit, or opposite rules; None when none do.

    Each side holds what one source says to the question, best first. A value that both sides give anywhere is not in
    dispute, so amounts are compared side by side and rules sentence by sentence.
    """
    ours, theirs = [read(text) for text in a], [read(text) for text in b]
    values = [value for facts in ours for value in facts.values]
    others = [value for facts in theirs for value in facts.values]
    for unit in dict.fromkeys(map(_unit, values)):
        one, other = _of(values, unit), _of(others, unit)
        if other and not any(x.equals(y) for x in one for y in other):
            return _holder(ours, unit), _holder(theirs, unit)
    pairs = ((i, j) for i, one in enumerate(ours) for j, other in enumerate(theirs) if _other_rule(one, other))
    return next(pairs, None)


def _unit(value: Value) -> str:
    return value.unit or value.kind


def _of(values: Sequence[Value], unit: str) -> list[Value]:
    return [value for value in values if _unit(value) == unit]


def _holder(side: Sequence[Facts], unit: str) -> int:
    return next(number for number, facts in enumerate(side) if _of(facts.values, unit))


def _other_rule(a: Facts, b: Facts) -> bool:
    shared = a.stems & b.stems
    smaller = min(len(a.stems), len(b.stems))
    if not smaller or len(shared) / smaller < ENOUGH_SHARED:
        return False
    return {marker.mark for marker in a.markers} != {marker.mark for marker in b.markers}


def _meet(a: frozenset[str], b: frozenset[str]) -> bool:
    return not a or not b or bool(a & b)
