"""Whether two passages that answer the same question disagree, fact by fact.

Only asked of two sources of equal standing that govern one subject: there, another amount for the same thing, or a
"must" against a "may", is a contradiction and not another topic.
"""

from __future__ import annotations

from chat.rules.verify.facts import Facts, Value
from chat.rules.verify.reading import read
from documents.rules.passage import Passage

ENOUGH_SHARED = 0.5


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


def disagree(a: str, b: str) -> bool:
    """Whether two sentences that answer one question give different amounts of one unit, or opposite rules."""
    one, other = read(a), read(b)
    return _other_amount(one, other) or _other_rule(one, other)


def _other_amount(a: Facts, b: Facts) -> bool:
    units = {value.unit or value.kind for value in a.values} & {value.unit or value.kind for value in b.values}
    return any(not _share(_of(a, unit), _of(b, unit)) for unit in units)


def _other_rule(a: Facts, b: Facts) -> bool:
    shared = a.stems & b.stems
    smaller = min(len(a.stems), len(b.stems))
    if not smaller or len(shared) / smaller < ENOUGH_SHARED:
        return False
    return {marker.mark for marker in a.markers} != {marker.mark for marker in b.markers}


def _of(facts: Facts, unit: str) -> list[Value]:
    return [value for value in facts.values if (value.unit or value.kind) == unit]


def _share(a: list[Value], b: list[Value]) -> bool:
    return any(x.equals(y) for x in a for y in b)


def _meet(a: frozenset[str], b: frozenset[str]) -> bool:
    return not a or not b or bool(a & b)
