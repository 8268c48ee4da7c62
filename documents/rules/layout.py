"""What the lines of a stored text were before they became lines: list items and rows of tables.

Extraction keeps one line a paragraph, an item or a row ("Column: value; Column: value", empty cells left out). This
reads the shape back for the eye and moves no character: every span is an offset in the text, and the spans of a block,
in order, spell its lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from documents.rules.legal import BULLET, ITEM

SpanT = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Paragraph:
    line: SpanT


@dataclass(frozen=True, slots=True)
class Item:
    """`marker` is what the text itself numbers it with ("b) "); `depth` counts from 1."""

    depth: int
    marker: SpanT
    text: SpanT


@dataclass(frozen=True, slots=True)
class Listing:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """`label` is the column's name with its colon, empty in a column without a name; `rest` parts it from the next."""

    label: SpanT
    value: SpanT
    rest: SpanT

    @property
    def span(self) -> SpanT:
        return self.label[0], self.rest[1]


@dataclass(frozen=True, slots=True)
class Row:
    """One cell a column, None where the text has none."""

    line: SpanT
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


Block = Paragraph | Listing | Table

_LABEL = re.compile(r"(?:^|(?<=; ))([^;:\n]{1,80}): ")
_LEAD = 120  # characters of a row's first cell in a column without a name
_KINDS = (("1", re.compile(r"\d+")), ("a", re.compile(r"[a-z]+")), ("I", re.compile(r"[IVXLCDM]+")))


def blocks(text: str, start: int, end: int) -> tuple[Block, ...]:
    """The lines of `text[start:end]`, in order, as paragraphs, lists and tables. Spans are offsets in `text`."""
    lines = list(_lines(text, start, end))
    rows = _rows(text, lines)
    found: list[Block] = []
    items: list[SpanT] = []
    table = _Grid()
    for line in lines:
        cells = rows.get(line)
        is_item = cells is None and _marker(text, line) is not None
        if items and not is_item:
            found.append(Listing(tuple(_items(text, items))))
            items = []
        if cells is None or not table.takes(cells):
            found += table.close()
            table = _Grid()
        if cells is not None:
            table.add(line, cells)
        elif is_item:
            items.append(line)
        else:
            found.append(Paragraph(line))
    found += table.close()
    return (*found, Listing(tuple(_items(text, items)))) if items else tuple(found)


def _lines(text: str, start: int, end: int) -> Iterator[SpanT]:
    for line in re.finditer(r"[^\n]+", text[start:end]):
        content = line.group()
        first = line.start() + len(content) - len(content.lstrip())
        last = line.start() + len(content.rstrip())
        if first < last:
            yield start + first, start + last


def _marker(text: str, line: SpanT) -> SpanT | None:
    match = ITEM.match(text, line[0], line[1])
    return (line[0], match.end()) if match and match.end() < line[1] else None


def _items(text: str, lines: list[SpanT]) -> Iterator[Item]:
    """A marker of a kind that is not open yet opens a list inside the last; one that is goes back to its own."""
    open_: list[str] = []
    for line in lines:
        marker = _marker(text, line) or (line[0], line[0])
        kind = text[marker[0] : marker[1]].strip()
        for name, pattern in _KINDS:
            kind, changed = pattern.subn(name, kind)
            if changed:
                break
        if kind in open_:
            del open_[open_.index(kind) + 1 :]
        else:
            open_.append(kind)
        yield Item(len(open_), marker, (marker[1], line[1]))


def _rows(text: str, lines: list[SpanT]) -> dict[SpanT, dict[str, Cell]]:
    """Lines that are rows, with their cells by column. A name counts as a column's where two lines have it."""
    labels = {line: list(_LABEL.finditer(text[line[0] : line[1]])) for line in lines if not BULLET.match(text, line[0])}
    shared = Counter(name for found in labels.values() for name in {match[1] for match in found})
    rows: dict[SpanT, dict[str, Cell]] = {}
    for line, found in labels.items():
        first = {match[1]: match for match in reversed(found) if shared[match[1]] > 1}
        named = sorted(first.values(), key=lambda match: match.start())
        lead = named[0].start() if named else 0
        if named and lead <= _LEAD and len(named) + bool(lead) > 1:
            rows[line] = dict(_cells(line, named))
    return rows


def _cells(line: SpanT, named: list[re.Match[str]]) -> Iterator[tuple[str, Cell]]:
    base, stop = line
    starts = [base + match.start() for match in named]
    if starts[0] > base:
        yield "", Cell((base, base), (base, starts[0] - 2), (starts[0] - 2, starts[0]))
    for match, (begin, after) in zip(named, pairwise([*starts, stop + 2]), strict=True):
        value_end = after - 2
        yield (
            match[1],
            Cell((begin, base + match.end()), (base + match.end(), value_end), (value_end, min(after, stop))),
        )


class _Grid:
    """A table in the making: rows are taken as long as their columns come in one order."""

    def __init__(self) -> None:
        self.columns: list[str] = []
        self.rows: list[tuple[SpanT, dict[str, Cell]]] = []

    def takes(self, cells: dict[str, Cell]) -> bool:
        return not self.rows or (self._with(cells) is not None and bool(set(cells) & set(self.columns)))

    def add(self, line: SpanT, cells: dict[str, Cell]) -> None:
        self.columns = self._with(cells) or list(cells)
        self.rows.append((line, cells))

    def close(self) -> list[Block]:
        if not self.rows:
            return []
        rows = (Row(line, tuple(cells.get(name) for name in self.columns)) for line, cells in self.rows)
        return [Table(tuple(self.columns), tuple(rows))]

    def _with(self, cells: dict[str, Cell]) -> list[str] | None:
        """The columns with those of one more row put where they come; None when the order says another table."""
        columns, place = list(self.columns), -1
        for name in cells:
            if name not in columns:
                if name == "" and columns:
                    return None
                columns.insert(place + 1, name)
                place += 1
            elif (at := columns.index(name)) > place:
                place = at
            else:
                return None
        return columns
