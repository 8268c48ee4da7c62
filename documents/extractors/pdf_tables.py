"""Tables of a PDF page: by their ruling lines, or by columns of white space where nothing is drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from documents.rules.legal import ITEM
from documents.extractors.pdf_lines import Line, Span, join_spans, rows_of, segments


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
    for group in _connected(rules):
        xs = _positions([r.x0 for r in group if r.vertical])
        ys = _positions([r.y0 for r in group if r.horizontal])
        if len(xs) < 3 or len(ys) < 3 or len(xs) > 60 or len(ys) > 400:
            continue
        left, right, bottom, top = xs[0], xs[-1], ys[0], ys[-1]
        inside = [s for s in rest if left - 2 <= s.x + s.width / 2 <= right + 2 and bottom - 2 <= _middle(s) <= top + 2]
        table = _build(group, xs, ys, inside, page)
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            rest = [s for s in rest if id(s) not in taken]
    return tables, rest


def _connected(rules: Sequence[Rule]) -> list[list[Rule]]:
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


def _positions(values: Sequence[float]) -> list[float]:
    result: list[list[float]] = []
    for value in sorted(values):
        if result and value - result[-1][-1] <= _SNAP:
            result[-1].append(value)
        else:
            result.append([value])
    return [sum(group) / len(group) for group in result]


def _middle(span: Span) -> float:
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
        row = height - 1 - _slot(ys, _middle(span))
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


def blank_tables(lines: Sequence[Line], page: int) -> list[tuple[int, int, Table]]:
    """Runs of lines whose parts stand in columns: (first index, end index, table). At least three rows.

    Two columns count only where both are filled in every row and the first is no list marker.
    """
    rows = _visual_rows(lines)
    found: list[tuple[int, int, Table]] = []
    index = 0
    while index < len(rows):
        end = _run_end(rows, index)
        table = _blank_table(rows[index:end], page) if end - index >= 3 else None
        if table is None:
            index += 1
        else:
            found.append((rows[index].first, rows[end - 1].end, table))
            index = end
    return found


@dataclass(frozen=True, slots=True)
class _VisualRow:
    """Lines `first:end` of the page that share a row: cells of two lines stand half a line off their neighbours."""

    first: int
    end: int
    lines: tuple[Line, ...]
    parts: tuple[tuple[float, float], ...]  # x extents of what stands apart

    @property
    def top(self) -> float:
        return self.lines[0].y

    @property
    def size(self) -> float:
        return max(line.size for line in self.lines)


def _visual_rows(lines: Sequence[Line]) -> list[_VisualRow]:
    rows: list[_VisualRow] = []
    start = 0
    for index in range(1, len(lines) + 1):
        near = (
            index < len(lines)
            and lines[index].column == lines[index - 1].column
            and 0 < lines[index - 1].y - lines[index].y < 0.85 * min(lines[index].size, lines[index - 1].size)
        )
        if near:
            continue
        group = tuple(lines[start:index])
        extents = [(p[0].x, p[-1].right) for line in group if not line.mono for p in segments(line.spans)]
        rows.append(_VisualRow(start, index, group, tuple(_united(extents))))
        start = index
    return rows


def _united(extents: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    result: list[tuple[float, float]] = []
    for low, high in sorted(extents):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result


def _run_end(rows: Sequence[_VisualRow], start: int) -> int:
    """The end of the run from `start` in which the rows share at least one gap and stand close to each other."""
    if len(rows[start].parts) < 2:
        return start
    gaps = _gaps(rows[start])
    end = start + 1
    while end < len(rows) and len(rows[end].parts) >= 2 and rows[end].lines[0].column == rows[start].lines[0].column:
        if rows[end - 1].lines[-1].y - rows[end].top > 3.2 * rows[end].size:
            break
        narrowed = _intersect(gaps, _gaps(rows[end]))
        if not narrowed or (len(gaps) >= 2 and len(narrowed) < 0.5 * len(gaps)):
            break
        gaps = narrowed
        end += 1
    return end


def _gaps(row: _VisualRow) -> list[tuple[float, float]]:
    return [(a[1], b[0]) for a, b in zip(row.parts, row.parts[1:], strict=False)]


def _intersect(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> list[tuple[float, float]]:
    result = []
    for low, high in a:
        for other_low, other_high in b:
            if min(high, other_high) - max(low, other_low) >= 4:
                result.append((max(low, other_low), min(high, other_high)))
    return result


def _blank_table(rows: Sequence[_VisualRow], page: int) -> Table | None:
    gaps = _gaps(rows[0])
    for row in rows[1:]:
        gaps = _intersect(gaps, _gaps(row))
    if not gaps:
        return None
    cuts = [(low + high) / 2 for low, high in gaps]
    texts = [_cells([span for line in row.lines for span in line.spans], cuts) for row in rows]
    if any(ITEM.fullmatch(row[0] + " ") or not re.search(r"\w", row[0]) for row in texts):
        return None
    if len(cuts) == 1:
        long = sum(len(row[0]) > 60 or len(row[1]) > 60 for row in texts)
        if long > 0.3 * len(texts):
            return None
    first, last = rows[0].lines[0], rows[-1].lines[-1]
    bold = all(line.bold for line in rows[0].lines) and not last.bold
    return Table(page, first.y + first.size, last.y, tuple(texts), (first.x, *cuts), bold)


def _cells(spans: Sequence[Span], cuts: Sequence[float]) -> tuple[str, ...]:
    cells: list[list[Span]] = [[] for _ in range(len(cuts) + 1)]
    for span in spans:
        cells[sum(span.x + min(span.width / 2, 4.0) > cut for cut in cuts)].append(span)
    return tuple(cell_text(cell) for cell in cells)


def banded_tables(rules: Sequence[Rule], spans: Sequence[Span], page: int) -> tuple[list[Table], list[Span]]:
    """Tables with horizontal lines only: at least four of the same extent, with columns that no text between them crosses."""
    tables: list[Table] = []
    rest = list(spans)
    for left, right, heights in _bands(rules):
        inside = [s for s in rest if left - 3 <= s.x and s.right <= right + 3 and heights[-1] <= _middle(s) <= heights[0]]
        bands = [[s for s in inside if low < _middle(s) <= high] for high, low in zip(heights, heights[1:], strict=False)]
        bands = [band for band in bands if any(s.text.strip() for s in band)]
        if len(bands) < 3 or any(len(rows_of(band)) > 6 for band in bands):
            continue
        extents = [[(p[0].x, p[-1].right) for row in rows_of(band) for p in segments(row)] for band in bands]
        united = _united([extent for band in extents for extent in band])
        cuts = [(a[1] + b[0]) / 2 for a, b in zip(united, united[1:], strict=False) if b[0] - a[1] >= 4]
        if not cuts:
            continue
        rows = tuple(_cells(band, cuts) for band in bands)
        bold = all(s.bold for s in bands[0] if s.text.strip())
        tables.append(Table(page, heights[0], heights[-1], rows, (left, *cuts), bold))
        taken = set(map(id, inside))
        rest = [s for s in rest if id(s) not in taken]
    return tables, rest


def _bands(rules: Sequence[Rule]) -> list[tuple[float, float, list[float]]]:
    """(left, right, heights from the top) of horizontal lines of one extent; pieces of a line count as one."""
    heights: dict[int, list[Rule]] = {}
    for rule in rules:
        if rule.horizontal:
            heights.setdefault(round(rule.y0 / 2), []).append(rule)
    extents: dict[tuple[int, int], list[float]] = {}
    for group in heights.values():
        for low, high in _united([(rule.x0, rule.x1) for rule in group]):
            extents.setdefault((round(low / 4), round(high / 4)), []).append(group[0].y0)
    return [
        (low * 4.0, high * 4.0, _positions(ys)[::-1]) for (low, high), ys in extents.items() if len(_positions(ys)) >= 4
    ]
