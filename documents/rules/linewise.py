"""What changed between two bodies of text, line by line; rows of a table cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from documents.rules.layout import Cell, Listing, Paragraph, Row, Table, blocks
from documents.rules.wording import Bag, Op, Piece, bag, likeness, runs, tokens, words

_PAIRED = 0.5  # likeness from which a changed line is the same line in other words
_COMPARED = 60_000  # pairs of lines that are compared with one another in one changed stretch
_CLOSE = 2_000  # tokens of a line by which its likeness is told


@dataclass(frozen=True, slots=True)
class Line:
    """One line as it stands, and its cells by column where it is a row of table number `table`."""

    text: str
    table: int | None = None
    cells: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LineChange:
    """A paragraph or an item. `op` is SAME also where words changed inside: then `pieces` has others than SAME."""

    op: Op
    pieces: tuple[Piece, ...]

    @property
    def changed(self) -> bool:
        return any(piece.op is not Op.SAME for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class RowChange:
    op: Op
    cells: tuple[tuple[Piece, ...], ...]

    @property
    def changed(self) -> bool:
        return self.op is not Op.SAME or any(piece.op is not Op.SAME for cell in self.cells for piece in cell)


@dataclass(frozen=True, slots=True)
class TableChange:
    """Rows of one table, each with a cell for each column of either edition."""

    columns: tuple[Piece, ...]
    rows: tuple[RowChange, ...]

    @property
    def changed(self) -> bool:
        return any(row.changed for row in self.rows) or any(column.op is not Op.SAME for column in self.columns)


Change = LineChange | TableChange
Pair = tuple[Line | None, Line | None]


def lines(text: str, start: int, end: int) -> list[Line]:
    """The lines of `text[start:end]`, with the rows of its tables taken apart."""
    found: list[Line] = []
    for number, block in enumerate(blocks(text, start, end)):
        match block:
            case Paragraph((begin, until)):
                found.append(Line(text[begin:until]))
            case Listing(items):
                found += [Line(text[item.marker[0] : item.text[1]]) for item in items]
            case Table(columns, rows):
                found += [Line(text[row.line[0] : row.line[1]], number, _cells(text, columns, row)) for row in rows]
    return found


def _cells(text: str, columns: Sequence[str], row: Row) -> tuple[tuple[str, str], ...]:
    filled: list[tuple[str, Cell]] = [(n, c) for n, c in zip(columns, row.cells, strict=True) if c is not None]
    return tuple((name, text[cell.value[0] : cell.value[1]]) for name, cell in filled)


def compare(old: Sequence[Line], new: Sequence[Line]) -> list[Change]:
    """Both bodies in reading order, what went before what came."""
    changes: list[Change] = []
    stretch: list[Pair] = []
    for pair in _pairs(old, new):
        if stretch and not _one_table([*stretch, pair]):
            changes.append(_table(stretch))
            stretch = []
        if _one_table([pair]):
            stretch.append(pair)
        else:
            changes.append(_line(*pair))
    return [*changes, _table(stretch)] if stretch else changes


def _pairs(old: Sequence[Line], new: Sequence[Line]) -> Iterator[Pair]:
    for run in runs([line.text for line in old], [line.text for line in new]):
        left, right = old[run.a : run.b], new[run.c : run.d]
        yield from zip(left, right, strict=True) if run.same else _aligned(left, right)


def _aligned(old: Sequence[Line], new: Sequence[Line]) -> Iterator[Pair]:
    """Lines of a changed stretch paired, in order, so that the likeness of all pairs is greatest."""
    if not old or not new or len(old) * len(new) > _COMPARED:
        yield from ((line, None) for line in old)
        yield from ((None, line) for line in new)
        return
    scores = _scores(old, new)
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            paired = scores[i][j] + best[i + 1][j + 1] if scores[i][j] >= _PAIRED else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    i = j = 0
    while i < len(old) and j < len(new):
        if scores[i][j] >= _PAIRED and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            yield old[i], new[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            yield old[i], None
            i += 1
        else:
            yield None, new[j]
            j += 1
    yield from ((line, None) for line in old[i:])
    yield from ((None, line) for line in new[j:])


def _scores(old: Sequence[Line], new: Sequence[Line]) -> list[list[float]]:
    left, right = ([bag(tokens(line.text)[:_CLOSE]) for line in side] for side in (old, new))
    return [[_score(before, after, left[i], right[j]) for j, after in enumerate(new)] for i, before in enumerate(old)]


def _score(old: Line, new: Line, left: Bag, right: Bag) -> float:
    """A row is known by its first cell: its values may all have changed."""
    if old.cells and new.cells:
        same_key = old.cells[0][1].casefold() == new.cells[0][1].casefold()
        return 0.75 + likeness(left, right) / 4 if same_key else likeness(left, right) * 0.75
    return likeness(left, right)


def _one_table(pairs: Sequence[Pair]) -> bool:
    """Whether these pairs are rows of one table on each side."""
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    tables = [{line.table for line in side if line is not None} for side in sides]
    if any(None in found or len(found) > 1 for found in tables):
        return False
    names = [{name for line in side if line is not None for name, _value in line.cells} for side in sides]
    return not all(names) or bool(names[0] & names[1])


def _line(old: Line | None, new: Line | None) -> LineChange:
    if old is None or new is None:
        op = Op.ADDED if old is None else Op.REMOVED
        return LineChange(op, (Piece(op, (old or new or Line("")).text),))
    return LineChange(Op.SAME, words(old.text, new.text))


def _table(pairs: Sequence[Pair]) -> TableChange:
    before, after = (_columns([pair[side] for pair in pairs]) for side in (0, 1))
    columns: list[Piece] = []
    for run in runs(before, after):
        gone, come = before[run.a : run.b], after[run.c : run.d]
        columns += [Piece(Op.SAME, name) for name in come] if run.same else []
        columns += [] if run.same else [Piece(Op.REMOVED, name) for name in gone if name not in after]
        columns += [] if run.same else [Piece(Op.ADDED if name not in before else Op.SAME, name) for name in come]
    if not before or not after:  # a table that is all new, or all gone: its rows say so
        columns = [Piece(Op.SAME, column.text) for column in columns]
    return TableChange(tuple(columns), tuple(_row(old, new, [column.text for column in columns]) for old, new in pairs))


def _columns(side: Sequence[Line | None]) -> list[str]:
    names: list[str] = []
    for line in side:
        place = 0
        for name, _value in line.cells if line else ():
            if name in names:
                place = names.index(name) + 1
            else:
                names.insert(place, name)
                place += 1
    return names


def _row(old: Line | None, new: Line | None, columns: Sequence[str]) -> RowChange:
    op = Op.ADDED if old is None else Op.REMOVED if new is None else Op.SAME
    before, after = (dict(line.cells) if line else {} for line in (old, new))
    cells = [words(before.get(name, ""), after.get(name, "")) for name in columns]
    return RowChange(op, tuple(cells))
