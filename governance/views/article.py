"""A revision's text as a page shows it: sections, lists and tables, cut where a quote or a page begins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from documents.extractors.anchors import START
from documents.models import Revision, Section
from documents.rules.layout import Cell, Listing, Paragraph, Row, Table, blocks
from documents.rules.marking import Cutter, Part
from documents.rules.types import PageSpan

SPAN = re.compile(r"(\d{1,18}):(\d{1,9})-(\d{1,9})", re.ASCII)
Parts = Sequence[Part]
SpanT = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShownItem:
    depth: int
    marker: Parts
    text: Parts


@dataclass(frozen=True, slots=True)
class ShownCell:
    """`label` and `rest` belong to the text and are shown where the table's head is not."""

    label: Parts
    value: Parts
    rest: Parts


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A paragraph (`parts`), a list (`items`) or a table (`columns`, `rows`)."""

    parts: Parts = ()
    items: Sequence[ShownItem] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[ShownCell | None]] = ()


@dataclass(frozen=True, slots=True)
class ShownSection:
    """`level` is that of its HTML heading; `title` the heading as plain text, for lists of them."""

    anchor: str
    level: int
    title: str
    page: int | None
    heading: Parts
    blocks: Sequence[ShownBlock]


@dataclass(frozen=True, slots=True)
class Article:
    sections: Sequence[ShownSection]
    marked: bool
    pages: int

    @property
    def contents(self) -> Sequence[ShownSection]:
        """What a table of contents lists: not the title, and nothing in too short a text."""
        titled = [section for section in self.sections if section.heading and section.anchor != START]
        return titled if len(titled) > 2 else ()


def article(revision: Revision, text: str, pages: Sequence[dict[str, int]], quote: SpanT, *, outer: int) -> Article:
    """`outer` is the level of the heading that stands above the text."""
    spans = [PageSpan(page["number"], page["start"], page["end"]) for page in pages]
    cutter = Cutter(text, quote, spans)
    sections = [_section(section, text, cutter, outer) for section in revision.sections.all()]
    return Article(sections, quote[0] < quote[1], len(spans))


def quote_in(span: str, revision_id: int, text: str) -> SpanT:
    """The span of the address in the text; an empty one when it is not of this revision or not in its text."""
    match = SPAN.fullmatch(span)
    if match is None or int(match[1]) != revision_id:
        return 0, 0
    start, end = int(match[2]), int(match[3])
    return (start, end) if start < end <= len(text) else (0, 0)


def revision_quoted(span: str) -> int | None:
    """The revision that the span of an address is of."""
    match = SPAN.fullmatch(span)
    return int(match[1]) if match else None


def _section(section: Section, text: str, cutter: Cutter, outer: int) -> ShownSection:
    heading_end = section.start + len(text[section.start : section.body_start].rstrip())
    return ShownSection(
        anchor=section.anchor,
        level=min(outer + max(section.level, 1), 6),
        title=section.heading,
        page=cutter.page_at(section.start),
        heading=cutter.parts((section.start, heading_end)),
        blocks=list(_blocks(text, section, cutter)),
    )


def _blocks(text: str, section: Section, cutter: Cutter) -> Iterator[ShownBlock]:
    for block in blocks(text, section.body_start, section.end):
        match block:
            case Paragraph(line):
                yield ShownBlock(parts=cutter.parts(line))
            case Listing(items):
                yield ShownBlock(
                    items=[ShownItem(item.depth, cutter.parts(item.marker), cutter.parts(item.text)) for item in items]
                )
            case Table(columns, rows):
                yield ShownBlock(columns=columns, rows=[_row(row, cutter) for row in rows])


def _row(row: Row, cutter: Cutter) -> list[ShownCell | None]:
    return [_cell(cell, cutter) if cell else None for cell in row.cells]


def _cell(cell: Cell, cutter: Cutter) -> ShownCell:
    """A page that begins in the cell is announced with its value: the rest is not always shown."""
    label, value, rest = (cutter.parts(span) for span in (cell.label, cell.value, cell.rest))
    before, after = ([Part("", page=part.page) for part in parts if part.page] for parts in (label, rest))
    return ShownCell(_quietly(label), (*before, *value, *after), _quietly(rest))


def _quietly(parts: Parts) -> Parts:
    return [replace(part, page=None) for part in parts]
