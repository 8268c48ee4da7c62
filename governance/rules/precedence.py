"""Which of two documents prevails, for one reader on one day. Governed data decides; never tone, age or similarity.

A rule says that one document prevails over another. Its exceptions name units and jurisdictions in which it is the
other way round: for a reader of an excepted place the local text is the one that applies, so the rule turns. Rules
chain (a over b, b over c). Where chains lead both ways nothing is decided, and the answer shows the conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from documents.rules.types import Reader, Window

PRECEDENCE_VERSION = "precedence-1"


class PrecedenceKind(StrEnum):
    """`mandatory` excludes the text that yields; `preferential` puts the other first and lets both stand."""

    MANDATORY = "mandatory"
    PREFERENTIAL = "preferential"


@dataclass(frozen=True, slots=True)
class PrecedenceFact:
    """`prevails` and `over` are codes of documents; `id` is the rule's, for the evidence."""

    id: int
    prevails: str
    over: str
    kind: PrecedenceKind
    validity: Window
    except_units: frozenset[str] = frozenset()
    except_jurisdictions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ruling:
    """`prevails` goes before `over` by the rules in `rules` (ids, in order of the chain).

    `kind` is mandatory only when every rule of the chain is; `by_exception` tells that one of them turned.
    """

    prevails: str
    over: str
    kind: PrecedenceKind
    rules: tuple[int, ...]
    by_exception: bool = False


@dataclass(frozen=True, slots=True)
class _Edge:
    winner: str
    loser: str
    rule: PrecedenceFact
    turned: bool


def decide(rules: Iterable[PrecedenceFact], a: str, b: str, reader: Reader, on: date) -> Ruling | None:
    """Which of the documents `a` and `b` prevails for `reader` on `on`; None when no rule, or a cycle, says so.

    Mandatory rules are heard first and alone; preferential ones only where those are silent.
    """
    edges = [_edge(rule, reader) for rule in rules if rule.validity.contains(on)]
    mandatory = [edge for edge in edges if edge.rule.kind is PrecedenceKind.MANDATORY]
    for heard in (mandatory, edges):
        forth, back = _chain(heard, a, b), _chain(heard, b, a)
        if forth and back:
            return None
        if forth or back:
            return _ruling(forth or back)
    return None


def cycles(rules: Iterable[PrecedenceFact]) -> tuple[tuple[str, ...], ...]:
    """Each knot of documents that prevail over one another, exceptions aside, as sorted codes: an error of the data.

    Two rules whose windows never meet do not close a knot.
    """
    held = tuple(rules)
    days = {rule.validity.start or date.min for rule in held}
    return tuple(sorted({knot for day in days for knot in _knots([r for r in held if r.validity.contains(day)])}))


def _knots(rules: Sequence[PrecedenceFact]) -> set[tuple[str, ...]]:
    edges = [_Edge(rule.prevails, rule.over, rule, turned=False) for rule in rules]
    codes = {code for edge in edges for code in (edge.winner, edge.loser)}
    below = {code: _reach(edges, code) for code in codes}
    return {tuple(sorted(c for c in codes if c in below[code] and code in below[c])) for code in codes} - {()}


def _edge(rule: PrecedenceFact, reader: Reader) -> _Edge:
    if rule.except_units & reader.units or rule.except_jurisdictions & reader.jurisdictions:
        return _Edge(rule.over, rule.prevails, rule, turned=True)
    return _Edge(rule.prevails, rule.over, rule, turned=False)


def _reach(edges: Sequence[_Edge], code: str) -> set[str]:
    seen: set[str] = set()
    open_codes = [code]
    while open_codes:
        current = open_codes.pop()
        fresh = {edge.loser for edge in edges if edge.winner == current} - seen
        seen |= fresh
        open_codes.extend(fresh)
    return seen


def _chain(edges: Sequence[_Edge], start: str, end: str) -> tuple[_Edge, ...]:
    """The shortest chain from `start` down to `end`; empty when there is none."""
    came_by: dict[str, _Edge] = {}
    level = [start]
    while level and end not in came_by:
        found = [e for code in level for e in edges if e.winner == code and e.loser != start]
        level = []
        for edge in found:
            if edge.loser not in came_by:
                came_by[edge.loser] = edge
                level.append(edge.loser)
    return _trace(came_by, start, end) if end in came_by else ()


def _trace(came_by: Mapping[str, _Edge], start: str, end: str) -> tuple[_Edge, ...]:
    chain: list[_Edge] = []
    code = end
    while code != start:
        chain.append(came_by[code])
        code = came_by[code].winner
    return tuple(reversed(chain))


def _ruling(chain: Sequence[_Edge]) -> Ruling:
    strict = all(edge.rule.kind is PrecedenceKind.MANDATORY for edge in chain)
    return Ruling(
        prevails=chain[0].winner,
        over=chain[-1].loser,
        kind=PrecedenceKind.MANDATORY if strict else PrecedenceKind.PREFERENTIAL,
        rules=tuple(edge.rule.id for edge in chain),
        by_exception=any(edge.turned for edge in chain),
    )
