"""Tables of a PDF page that no vertical line frames: columns are told by the white space between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.extractors.pdf_lines import Line, Span, rows_of, segments
from documents.extractors.pdf_tables import Rule, Table, cell_text, connected, middle, positions
from documents.rules.legal import ITEM


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
    return [(a[1], b[0]) for a, b in pairwise(row.parts)]


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
    """Tables whose rows lines separate and whose columns only white space does, and the spans that are in none."""
    tables: list[Table] = []
    rest = list(spans)
    for left, right, heights in _bands(rules):
        inside = [s for s in rest if left - 3 <= s.x and s.right <= right + 3]
        inside = [s for s in inside if heights[-1] <= middle(s) <= heights[0]]
        bands = [[s for s in inside if low < middle(s) <= high] for high, low in pairwise(heights)]
        table = _banded([band for band in bands if any(s.text.strip() for s in band)], heights, left, page)
        if table is not None:
            tables.append(table)
            taken = set(map(id, inside))
            rest = [s for s in rest if id(s) not in taken]
    return tables, rest


def _banded(bands: Sequence[Sequence[Span]], heights: Sequence[float], left: float, page: int) -> Table | None:
    if len(bands) < 2 or any(len(rows_of(band)) > 12 for band in bands):
        return None
    printed = [span for band in bands for span in band if span.text.strip()]
    least = 0.4 * min(span.size for span in printed)
    united = _united([(span.x, span.right) for span in printed])
    cuts = [(a[1] + b[0]) / 2 for a, b in pairwise(united) if b[0] - a[1] >= max(3.5, least)]
    rows = tuple(_cells(band, cuts) for band in bands)
    if not cuts or sum(bool(cell) for cell in rows[0]) < 2:
        return None
    bold = all(span.bold for span in bands[0] if span.text.strip())
    return Table(page, heights[0], heights[-1], rows, (left, *cuts), bold)


def _bands(rules: Sequence[Rule]) -> list[tuple[float, float, list[float]]]:
    """(left, right, heights from the top) of what may be a table: a box cut into rows, or lines of one extent."""
    found: list[tuple[float, float, list[float]]] = []
    boxed: set[int] = set()
    for group in connected(rules):
        xs = positions([rule.x0 for rule in group if rule.vertical])
        ys = positions([rule.y0 for rule in group if rule.horizontal])
        if len(xs) == 2 and len(ys) >= 3:
            found.append((xs[0], xs[1], ys[::-1]))
        boxed.update(map(id, group))
    free = [rule for rule in rules if rule.horizontal and id(rule) not in boxed]
    return found + [band for band in _free_bands(free) if len(band[2]) >= 4]


def _free_bands(rules: Sequence[Rule]) -> list[tuple[float, float, list[float]]]:
    """Horizontal lines of one extent, pieces of a line counted as one; a wide space between two ends a band."""
    heights: dict[int, list[Rule]] = {}
    for rule in rules:
        heights.setdefault(round(rule.y0 / 2), []).append(rule)
    extents: dict[tuple[int, int], list[float]] = {}
    for group in heights.values():
        for low, high in _united([(rule.x0, rule.x1) for rule in group]):
            extents.setdefault((round(low / 4), round(high / 4)), []).append(group[0].y0)
    bands: list[tuple[float, float, list[float]]] = []
    for (low, high), ys in extents.items():
        run: list[float] = []
        for y in positions(ys)[::-1]:
            if run and run[-1] - y > _TALLEST_ROW:
                bands.append((low * 4.0, high * 4.0, run))
                run = []
            run.append(y)
        bands.append((low * 4.0, high * 4.0, run))
    return bands


_TALLEST_ROW = 110.0  # points between two lines of one table
