"""From the lines and tables of a PDF to blocks: headings, re-flowed paragraphs, list items and rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from documents.extractors.blocks import LEADERS, Block, BlockKind, paragraph
from documents.extractors.hyphens import LineJoiner
from documents.extractors.pdf_headings import Context, Levels, Outline, Style, body_size, is_heading, run_in
from documents.extractors.pdf_lines import Line, edges
from documents.extractors.pdf_table_lines import TableLines
from documents.extractors.pdf_tables import Table
from documents.rules.legal import ITEM, LEGAL, depth, division_rank, is_item

Item = Line | Table

_TERMINAL = (".", ":", ";", "!", "?", ".”", '."', ".)", "…")
_OPENS = re.compile(r"(?:art(?:igo|\.)\s*\d|§|par[aá]grafo [uú]nico|cl[aá]usula\s+\d)", re.I)
_CLAUSE = re.compile(r"\d{1,2}(?:\.\d{1,2})+\.?\s+[-–—“\"A-ZÀ-Ú]")


@dataclass(slots=True)
class _Open:
    """The paragraph (or heading) in hand."""

    text: str
    last: Line
    first: Line
    heading: bool
    style: Style
    pages: list[tuple[int, int]] = field(default_factory=list)


class Flow:
    """One pass over the document in reading order."""

    def __init__(self, items: Sequence[Item], outline: Outline) -> None:
        self._items = items
        self._lines = [item for item in items if isinstance(item, Line)]
        self._outline = outline
        self._body = body_size(self._lines)
        self._joiner = LineJoiner(line.text for line in self._lines)
        total = sum(len(line.text) for line in self._lines) or 1
        self._bold_share = sum(len(line.text) for line in self._lines if line.bold) / total
        self._edges = edges(self._lines)
        self._spacing = self._usual_spacing()
        self._found: list[tuple[BlockKind, str, Style, tuple[tuple[int, int], ...]]] = []
        self._open: _Open | None = None
        self._tables = TableLines()

    def blocks(self) -> list[Block]:
        for index, item in enumerate(self._items):
            if isinstance(item, Table):
                self._close()
                self._rows(item)
            else:
                self._tables.interrupt()
                self._line(index, item)
        self._close()
        headings = [(text, style) for kind, text, style, _ in self._found if kind is BlockKind.HEADING]
        levels = Levels(headings, self._outline)
        return [self._block(found, levels) for found in self._found]

    def _block(self, found: tuple[BlockKind, str, Style, tuple[tuple[int, int], ...]], levels: Levels) -> Block:
        kind, text, style, pages = found
        if kind is BlockKind.HEADING:
            return Block(kind, text, levels.level(text, style), pages)
        if kind is BlockKind.ROW:
            return Block(kind, text, pages=pages)
        return paragraph(text, pages)

    def _usual_spacing(self) -> float:
        """The usual distance between two lines of one paragraph, as a multiple of the font size."""
        ratios: list[float] = []
        for a, b in pairwise(self._lines):
            if a.page == b.page and a.size == b.size and 0 < a.y - b.y < 3 * a.size:
                ratios.append((a.y - b.y) / a.size)
        ratios.sort()
        return ratios[len(ratios) // 3] if ratios else 1.2

    def _gap(self, upper: Line, lower: Line) -> float:
        """Space between two lines in usual line spacings; large across pages and columns."""
        if upper.page != lower.page or upper.column != lower.column or upper.y <= lower.y:
            return 9.0
        return (upper.y - lower.y) / (self._spacing * max(upper.size, lower.size))

    def _neighbour(self, index: int, step: int) -> Line | None:
        position = index + step
        if 0 <= position < len(self._items):
            item = self._items[position]
            return item if isinstance(item, Line) else None
        return None

    def _line(self, index: int, line: Line) -> None:
        before, after = self._neighbour(index, -1), self._neighbour(index, 1)
        around = Context(
            self._gap(before, line) if before else 9.0,
            self._gap(line, after) if after else 9.0,
            self._bold_share,
        )
        style = (line.size, line.bold)
        if self._goes_on(line, style):
            self._append(line)
            return
        if is_heading(line, self._body, self._outline, around):
            self._heading(line, style, around)
            return
        if parts := run_in(line):
            self._close()
            self._start(parts[0], line, True, style)
            self._close()
            self._start(parts[1], line, False, style)
            return
        if self._open is not None and not self._open.heading and self._continues(self._open, line):
            self._append(line)
            return
        self._close()
        self._start(line.text, line, False, style)

    def _goes_on(self, line: Line, style: Style) -> bool:
        """A line that could be a heading by its looks, but is the wrapped end of a paragraph in the same looks."""
        open_ = self._open
        if open_ is None or open_.heading or open_.style != style or not line.bold or open_.last.page != line.page:
            return False
        return self._gap(open_.last, line) <= 1.2 and not self._had_room(open_.last, line) and not depth(line.text)

    def _heading(self, line: Line, style: Style, around: Context) -> None:
        if self._open is not None and self._open.heading and self._same_heading(self._open, line, style, around):
            self._append(line)
            return
        self._close()
        self._start(line.text, line, True, style)

    def _same_heading(self, open_: _Open, line: Line, style: Style, around: Context) -> bool:
        """A heading of two lines. Each of two bookmarks stays its own, and so do lines broken on purpose."""
        if open_.style != style or around.gap_above > 1.35 or self._outline.level(open_.text):
            return False
        if self._had_room(open_.last, line) and not division_rank(open_.text):
            return False
        return not depth(line.text) and len(open_.text) + len(line.text) <= 220

    def _continues(self, open_: _Open, line: Line) -> bool:  # noqa: PLR0911 (a list of reasons to begin anew)
        """Whether `line` belongs to the paragraph in hand."""
        last, text = open_.last, line.text
        if is_item(text) or _OPENS.match(text) or _CLAUSE.match(text) or (LEGAL.match(text) and text[:1].isupper()):
            return bool(last.text.endswith(("-", "–")) and not ITEM.match(text))
        if LEADERS.search(open_.text):
            return False  # a line of a table of contents
        wrapped = not self._had_room(last, line)
        if line.mono != last.mono or (line.mono and (line.x <= open_.first.x + 3 or not wrapped)):
            return False
        if abs(line.size - last.size) > 0.1 * self._body:
            return False
        if last.bold and not line.bold and open_.first is last:
            return False
        across = line.page != last.page or line.column != last.column or line.y >= last.y
        full = wrapped or last.right > self._edges[last.column][1] - 0.1 * self._width(last)
        if across:
            return not open_.text.endswith(_TERMINAL) and (text[0].islower() or full or text[0] in '(“"')
        if self._gap(last, line) > 1.3:
            return False
        ended = open_.text.endswith(_TERMINAL)
        if ended and line.x > last.x + 9 and not is_item(open_.text):
            return False  # a first line set in from the margin
        return not (ended and not full)

    def _width(self, line: Line) -> float:
        left, right = self._edges[line.column]
        return right - left

    def _had_room(self, line: Line, following: Line) -> bool:
        """Whether the first word of `following` would have fitted at the end of `line`: then the break is meant."""
        word = following.text.split(" ", 1)[0]
        length = (following.right - following.x) * (len(word) + 1) / max(len(following.text), 1)
        return line.right - line.x + length < self._width(line) * 0.97 - max(0.0, line.x - self._edges[line.column][0])

    def _start(self, text: str, line: Line, heading: bool, style: Style) -> None:
        self._open = _Open(text, line, line, heading, style, [(0, line.page)])

    def _append(self, line: Line) -> None:
        assert self._open is not None
        joined = self._joiner.join(self._open.text, line.text)
        if line.page != self._open.last.page:
            self._open.pages.append((len(joined) - len(line.text), line.page))
        self._open.text, self._open.last = joined, line

    def _close(self) -> None:
        if self._open is None:
            return
        kind = BlockKind.HEADING if self._open.heading else BlockKind.PARAGRAPH
        self._found.append((kind, self._open.text, self._open.style, tuple(self._open.pages)))
        self._open = None

    def _rows(self, table: Table) -> None:
        for number, text in enumerate(self._tables.lines(table)):
            pages = ((0, table.page),) if number == 0 else ()
            self._found.append((BlockKind.ROW, text, (self._body, False), pages))
