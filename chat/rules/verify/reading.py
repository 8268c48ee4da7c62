"""A sentence or a quote read into its facts."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from decimal import Decimal
from typing import Protocol

from chat.rules.verify.dates import find_clocks, find_days
from chat.rules.verify.facts import Facts, Opening, Scoped, Value, keys_of
from chat.rules.verify.markers import BOUNDS, MODAL, POLAR, Mark, find_markers
from chat.rules.verify.numbers import find_numbers
from chat.rules.verify.words import find_codes, find_words
from documents.rules.normalise import normalise
from documents.rules.sentences import is_row

# What divides a text into statements, and these into their parts. Blanked numbers and dates hold no commas any more.
_STATEMENT = re.compile(
    r"[;!?]|\.(?=\s|$)|,\s+(?:e|mas|porém|contudo|entretanto|todavia)\b(?!\s+(?:exceto|salvo|somente|apenas|desde|quando|caso|se)\b)"
)
_PART = re.compile(r"[,;!?]|\.(?=\s|$)|\b(?:e|mas|porém|sendo)\b")
_OPENING = re.compile(r"(?:^|[.;!?|]\s+)(?P<case>(?:para|em|n[oa]s?|aos?|às?|durante)\s[^,;.!?|]*),", re.IGNORECASE)
_INFINITIVE = re.compile(r"[^\W\d_]+[aeio]r(?:-\w+)?")
_CLOCK_LEAD = re.compile(r"\b(?:às|as|das|à)\s+$", re.IGNORECASE)
# How many words may stand between a bound and its amount: "prazo máximo para envio do relatório é de 5 dias".
_REACH_AFTER, _REACH_NEAR, _REACH_BEFORE = 8, 3, 3
_NEAR = frozenset({Mark.BEFORE, Mark.AFTER, Mark.COUNTED_FROM})


class _Span(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def read(text: str) -> Facts:
    """The facts of a literal text. A table row is a statement of its own."""
    normal = normalise(_rows_apart(text))
    rest = normal
    dates = [
        Value("date", frozenset({day.key}), None, "", "", frozenset(), "", day.start, day.end)
        for day in find_days(rest)
    ]
    rest = _blank(rest, dates)
    times: list[Value] = []
    for clock in find_clocks(rest):
        keys: set[Hashable] = {("clock", clock.hour, clock.minute)}
        if clock.duration is not None:
            keys.add(("hora", Decimal(clock.duration)))
        number = None if clock.duration is None else Decimal(clock.duration)
        times.append(Value("time", frozenset(keys), number, "hora", "", frozenset(), "", clock.start, clock.end))
    rest = _blank(rest, times)
    codes = tuple(find_codes(rest))
    rest = _blank(rest, codes)
    numbers = _numbers(rest)
    rest = _blank(rest, numbers)
    markers = list(find_markers(rest))
    words = tuple(find_words(_blank(rest, markers)))
    statements = tuple(match.start() for match in _STATEMENT.finditer(rest))
    parts = tuple(match.start() for match in _PART.finditer(rest))
    bare = Facts((*dates, *times, *numbers), codes, (), (), words, statements, parts)
    bounds = _bounds(
        bare, [(marker.mark, marker.start, marker.end) for marker in markers if marker.mark in BOUNDS], rest
    )
    values = tuple(
        Value(v.kind, v.keys, v.number, v.unit, v.per, frozenset(bounds.get(index, ())), _noun(v, bare), v.start, v.end)
        for index, v in enumerate(bare.values)
    )
    scoped = tuple(_scope(bare, marker.mark, marker.start, marker.end, marker.both_sides) for marker in markers)
    openings = tuple(
        Opening(facts, bare.statement(match.start("case")))
        for match in _OPENING.finditer(rest)
        if (facts := bare.within(*match.span("case")))
    )
    return Facts(values, codes, scoped, openings, words, statements, parts)


def is_table_row(line: str) -> bool:
    return "|" in line or is_row(line.strip())


def _rows_apart(text: str) -> str:
    """Each table row between semicolons, its cells between bars: so that a row is one statement."""
    lines = text.split("\n")
    return "\n".join(f" ; {line.replace(';', ' |')} ; " if is_table_row(line) else line for line in lines)


def _numbers(text: str) -> list[Value]:
    values = []
    for number in find_numbers(text):
        keys: set[Hashable] = {(number.unit, number.value)}
        if number.unit == "hora" and _CLOCK_LEAD.search(text[: number.start]) and number.value == int(number.value):
            keys.add(("clock", int(number.value), 0))
        kind = "time" if number.unit == "hora" else "number"
        values.append(
            Value(
                kind, frozenset(keys), number.value, number.unit, number.per, frozenset(), "", number.start, number.end
            )
        )
    return values


def _blank(text: str, spans: Iterable[_Span]) -> str:
    for span in spans:
        text = text[: span.start] + "\x00" * (span.end - span.start) + text[span.end :]
    return text


def _bounds(facts: Facts, marks: list[tuple[Mark, int, int]], text: str) -> dict[int, set[Mark]]:
    """Which bound speaks of which value: the next one in its statement within reach, else the one just before."""
    found: dict[int, set[Mark]] = {}
    for mark, start, end in marks:
        here = facts.statement(start)
        reach = _REACH_NEAR if mark in _NEAR else _REACH_AFTER
        same = [(index, value) for index, value in enumerate(facts.values) if facts.statement(value.start) == here]
        after = [
            (value.start, index)
            for index, value in same
            if value.start >= end and _gap(text, end, value.start) <= reach
        ]
        before = [
            (-value.end, index)
            for index, value in same
            if value.end <= start and _gap(text, value.end, start) <= _REACH_BEFORE
        ]
        for _, index in (sorted(after) or sorted(before))[:1]:
            found.setdefault(index, set()).add(mark)
            # "no máximo 4 (quatro) dias": the number in words says the same.
            twins = (
                i
                for i, v in same
                if v.start > facts.values[index].end and text[facts.values[index].end : v.start].strip() == "("
            )
            for twin in twins:
                found.setdefault(twin, set()).add(mark)
    return found


def _gap(text: str, start: int, end: int) -> int:
    return len(text[start:end].replace("\x00", " ").split())


def _noun(value: Value, facts: Facts) -> str:
    """The content word right after a number without unit: what is counted."""
    if value.unit or value.kind != "number":
        return ""
    return next((word.stem for word in facts.words if 0 < word.start - value.end <= 1), "")


def _scope(facts: Facts, mark: Mark, start: int, end: int, both_sides: bool) -> Scoped:
    statement, part = facts.statement(start), facts.part(start)
    items = [
        item for group in (facts.words, facts.values) for item in group if facts.statement(item.start) == statement
    ]
    reach = _parts_governed(facts, part, statement) if mark in MODAL else {part}
    near = [item for item in items if facts.part(item.start) in reach]
    after = frozenset(key for item in near if item.start >= end for key in keys_of(item))
    # A negation speaks of what follows it; a modal of its whole part ("o pedido deve ser feito", "deve ser pedido").
    scope = after if mark in POLAR and not both_sides else frozenset(key for item in near for key in keys_of(item))
    predicate = None
    if mark in POLAR | MODAL and not both_sides:
        predicate = next(
            (word.stem for word in facts.words if word.start >= end and facts.statement(word.start) == statement), None
        )
        scope |= {predicate} if predicate else set()
    elif not scope:
        scope = frozenset(key for item in items for key in keys_of(item))
    return Scoped(mark, predicate, scope, after, statement, start)


def _parts_governed(facts: Facts, part: int, statement: int) -> set[int]:
    """A modal's own part and those after it that go on with an infinitive: "deve enviar o relatório e anexar…"."""
    reach = {part}
    for following in sorted({facts.part(word.start) for word in facts.words} - set(range(part + 1))):
        first = next(word for word in facts.words if facts.part(word.start) == following)
        if facts.statement(first.start) != statement or not _INFINITIVE.fullmatch(first.text):
            break
        reach.add(following)
    return reach
