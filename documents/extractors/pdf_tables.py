"""Tables of a PDF page that lines frame: each cell between its lines, merged cells where a line is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from documents.extractors.pdf_lines import Span, join_spans, rows_of, segments


@dataclass(frozen=True, slots=True)
class Rule:
    """A drawn line, horizontal or vertical, in points."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def horizontal(self) -> bool:
        return abs(self.y1 - self.y0) < 2.5 and self.x1 - self.x0 > 2.5

    @property
    def vertical(self) -> bool:
        return abs(self.x1 - self.x0) < 2.5 and self.y1 - self.y0 > 2.5


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cell texts with merged cells repeated; `columns` are the left edges, to recognise a continuation."""

    page: int
    top: float
    bottom: float
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[float, ...]
    bold_first: bool = False


_SNAP = 3.0


def ruled_tables(rules: Sequence[Rule], spans: Sequence[Span], page: int) -> tuple[list[Table], list[Span]]:
    """Tables that lines frame, and the spans that are in none. A frame with one cell is not a table."""
    tables: list[Table] = []
    rest = list(spans)
    for group in connected(rules):
        xs = positions([r.x0 for r in group if r.vertical])
        ys = positions([r.y0 for r in group if r.horizontal])
        if len(xs) < 3 or len(ys) < 3 or len(xs) > 60 or len(ys) > 400:
            continue
        left, right, bottom, top = xs[0], xs[-1], ys[0], ys[-1]
        inside = [s for s in rest if left - 2 <= s.x + s.width / 2 <= right + 2 and bottom - 2 <= middle(s) <= top + 2]
        table = _build(group, xs, ys, inside, page)
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            rest = [s for s in rest if id(s) not in taken]
    return tables, rest


def connected(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Groups of rules that touch, by a sweep over a coarse grid of their end points and crossings."""
    usable = [r for r in rules if r.horizontal or r.vertical]
    if len(usable) > 6000:
        return []
    parent = list(range(len(usable)))

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    order = sorted(range(len(usable)), key=lambda i: usable[i].x0)
    active: list[int] = []
    for i in order:
        rule = usable[i]
        active = [j for j in active if usable[j].x1 >= rule.x0 - _SNAP]
        for j in active:
            other = usable[j]
            if other.y0 <= rule.y1 + _SNAP and rule.y0 <= other.y1 + _SNAP:
                parent[find(i)] = find(j)
        active.append(i)
    groups: dict[int, list[Rule]] = {}
    for i, rule in enumerate(usable):
        groups.setdefault(find(i), []).append(rule)
    return [group for group in groups.values() if len(group) >= 4]


def positions(values: Sequence[float]) -> list[float]:
    result: list[list[float]] = []
    for value in sorted(values):
        if result and value - result[-1][-1] <= _SNAP:
            result[-1].append(value)
        else:
            result.append([value])
    return [sum(group) / len(group) for group in result]


def middle(span: Span) -> float:
    return span.y + 0.3 * span.size


def _build(group: Sequence[Rule], xs: list[float], ys: list[float], spans: list[Span], page: int) -> Table | None:
    tops = ys[::-1]
    height, width = len(ys) - 1, len(xs) - 1
    covered = _Cover(group)
    root: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(height):
        for column in range(width):
            cell = (row, column)
            middle_y, middle_x = (tops[row] + tops[row + 1]) / 2, (xs[column] + xs[column + 1]) / 2
            if column and not covered.vertical(xs[column], middle_y):
                root[cell] = root[(row, column - 1)]
            elif row and not covered.horizontal(tops[row], middle_x):
                root[cell] = root[(row - 1, column)]
            else:
                root[cell] = cell
    contents: dict[tuple[int, int], list[Span]] = {}
    for span in spans:
        column = _slot(xs, span.x + min(span.width / 2, 4.0))
        row = height - 1 - _slot(ys, middle(span))
        contents.setdefault(root[(row, column)], []).append(span)
    _split_merged(contents, root, xs)
    texts = {cell: cell_text(found) for cell, found in contents.items()}
    if len(texts) < 2 or len(set(root.values())) < 4:
        return None
    rows = tuple(tuple(texts.get(root[(r, c)], "") for c in range(width)) for r in range(height))
    first = [s for (r, _), found in contents.items() if r == 0 for s in found if s.text.strip()]
    return Table(page, tops[0], tops[-1], rows, tuple(xs), bool(first) and all(s.bold for s in first))


def _split_merged(
    contents: dict[tuple[int, int], list[Span]], root: dict[tuple[int, int], tuple[int, int]], xs: Sequence[float]
) -> None:
    """Undo a merge that only a missing line suggests: its texts stand apart, each inside its own column."""
    for cell, spans in list(contents.items()):
        columns = sorted({c for (r, c), owner in root.items() if owner == cell and r == cell[0]})
        if len(columns) < 2:
            continue
        slots: dict[int, list[Span]] = {}
        for row in rows_of(spans):
            for part in segments(row):
                slot = _slot(xs, part[0].x + 1)
                if part[-1].right > xs[slot + 1] + 1:
                    slots = {}
                    break
                slots.setdefault(slot, []).extend(part)
            else:
                continue
            break
        if len(slots) < 2:
            continue
        del contents[cell]
        for (r, c), owner in list(root.items()):
            if owner == cell:
                root[(r, c)] = (cell[0], c)
        for slot, found in slots.items():
            contents[(cell[0], slot)] = found


class _Cover:
    """Answers whether a drawn line passes through a point of the grid."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._horizontal = [r for r in rules if r.horizontal]
        self._vertical = [r for r in rules if r.vertical]

    def vertical(self, x: float, y: float) -> bool:
        return any(abs(r.x0 - x) <= _SNAP and r.y0 - 1 <= y <= r.y1 + 1 for r in self._vertical)

    def horizontal(self, y: float, x: float) -> bool:
        return any(abs(r.y0 - y) <= _SNAP and r.x0 - 1 <= x <= r.x1 + 1 for r in self._horizontal)


def _slot(edges: Sequence[float], value: float) -> int:
    for index in range(len(edges) - 1):
        if value < edges[index + 1]:
            return index
    return len(edges) - 2


def cell_text(spans: Sequence[Span]) -> str:
    """The lines of a cell as one text; words that the cell broke at a hyphen keep it."""
    text = ""
    for row in rows_of(spans):
        line = join_spans(row)
        text = f"{text} {line}" if text and line else text or line
    return text
