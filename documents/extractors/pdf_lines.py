"""From the spans of a PDF page to its lines, in reading order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from documents.extractors.text import one_line


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text in one font. Points, origin at the bottom left; `y` is the baseline."""

    text: str
    x: float
    y: float
    width: float
    size: float
    bold: bool
    mono: bool

    @property
    def right(self) -> float:
        return self.x + self.width


@dataclass(frozen=True, slots=True)
class Line:
    """Spans on one baseline, left to right. `column` tells the columns of a page apart."""

    spans: tuple[Span, ...]
    text: str
    page: int
    column: int = 0

    @property
    def x(self) -> float:
        return self.spans[0].x

    @property
    def right(self) -> float:
        return max(span.right for span in self.spans)

    @property
    def y(self) -> float:
        return Counter({s.y: len(s.text) for s in self.spans}).most_common(1)[0][0]

    @property
    def size(self) -> float:
        """The size of most of its characters, rounded to a quarter of a point."""
        sizes: Counter[float] = Counter()
        for span in self.spans:
            sizes[round(span.size * 4) / 4] += len(span.text.strip())
        return sizes.most_common(1)[0][0]

    @property
    def bold(self) -> bool:
        words = [span for span in self.spans if re.search(r"\w", span.text)]
        return bool(words) and all(span.bold for span in words)

    @property
    def mono(self) -> bool:
        return all(span.mono for span in self.spans if span.text.strip())


def join_spans(spans: Sequence[Span]) -> str:
    """The text of spans on one line: a space where the gap is as wide as one."""
    pieces: list[str] = []
    previous: Span | None = None
    for span in spans:
        if previous is not None:
            gap = span.x - previous.right
            if gap > 0.18 * min(span.size, previous.size) and not pieces[-1].endswith(" ") and span.text[:1] != " ":
                pieces.append(" ")
        pieces.append(span.text)
        previous = span
    return one_line("".join(pieces))


def lines_of(spans: Sequence[Span], page: int) -> list[Line]:
    """Lines from top to bottom; on a page of two columns, the left column before the right one."""
    rows = rows_of(spans)
    gutter = _gutter(rows)
    if gutter is None:
        return [line for row in rows if (line := _line(row, page))]
    result: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for row in rows:
        sides = [s for s in row if s.right <= gutter], [s for s in row if s.x >= gutter]
        if len(sides[0]) + len(sides[1]) < len(row):  # a line across both columns closes the band
            result += [*left, *right]
            left, right = [], []
            result += [line] if (line := _line(row, page)) else []
            continue
        left += [line] if (line := _line(sides[0], page, 1)) else []
        right += [line] if (line := _line(sides[1], page, 2)) else []
    return [*result, *left, *right]


def rows_of(spans: Sequence[Span]) -> list[list[Span]]:
    """Spans grouped by baseline, top to bottom, each row left to right. Raised and lowered signs join their line."""
    rows: list[list[Span]] = []
    for span in sorted(spans, key=lambda s: (-s.y, s.x)):
        for row in reversed(rows[-3:]):
            main = max(row, key=lambda s: s.size)
            tolerance = 0.25 * min(main.size, span.size) if main.size == span.size else 0.45 * max(main.size, span.size)
            if abs(main.y - span.y) <= tolerance:
                row.append(span)
                break
        else:
            rows.append([span])
    return [sorted(row, key=lambda s: s.x) for row in rows]


def segments(spans: Sequence[Span]) -> list[list[Span]]:
    """The parts of a row that a wide gap separates (about one and a half spaces of its font, at least 7 points)."""
    parts: list[list[Span]] = []
    for span in spans:
        if not span.text.strip():
            continue
        if parts and span.x - parts[-1][-1].right <= max(7.0, 0.9 * span.size):
            parts[-1].append(span)
        else:
            parts.append([span])
    return parts


def _line(spans: Sequence[Span], page: int, column: int = 0) -> Line | None:
    kept = list(spans)
    while kept and not kept[0].text.strip():
        kept.pop(0)
    while kept and not kept[-1].text.strip():
        kept.pop()
    text = join_spans(kept)
    return Line(tuple(kept), text, page, column) if text else None


def _gutter(rows: Sequence[Sequence[Span]]) -> float | None:
    """The x of the space between two columns of prose, or None for a page of one column (tables are not columns)."""
    split = [parts for row in rows if len(parts := segments(row)) == 2]
    texts = [row for row in rows if any(span.text.strip() for span in row)]
    if len(split) < 8 or len(split) < 0.5 * len(texts):
        return None
    left = max(part[0][-1].right for part in split)
    right = min(part[1][0].x for part in split)
    if right - left < 8:
        return None
    lengths = [sum(len(join_spans(side)) for side in parts) / 2 for parts in split]
    prose = sum(1 for parts in split if min(len(join_spans(parts[0])), len(join_spans(parts[1]))) >= 20)
    return (left + right) / 2 if sum(lengths) / len(lengths) >= 28 and prose >= 0.7 * len(split) else None


def edges(lines: Sequence[Line]) -> dict[int, tuple[float, float]]:
    """Left and right edge of the text in each column, outliers (long addresses, notes in the margin) left out."""
    columns: dict[int, list[Line]] = {}
    for line in lines:
        columns.setdefault(line.column, []).append(line)
    edges = {}
    for column, group in columns.items():
        lefts = sorted(line.x for line in group)
        rights = sorted(line.right for line in group)
        edges[column] = (lefts[len(lefts) // 50], rights[-1 - len(rights) // 20])
    return edges
