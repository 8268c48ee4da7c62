"""PDF to blocks. pypdfium2 decides whether the file is sound; pdf-oxide gives spans, lines and the outline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pdf_oxide
import pypdfium2

from documents.extractors.assemble import assemble
from documents.extractors.base import ExtractionError, Why
from documents.extractors.pdf_flow import Flow, Item
from documents.extractors.pdf_furniture import PageBox, furniture, signature
from documents.extractors.pdf_headings import Outline, outline_key
from documents.extractors.pdf_lines import Line, Span, lines_of
from documents.extractors.pdf_tables import Rule, Table, ruled_tables
from documents.extractors.pdf_white_tables import banded_tables, blank_tables
from documents.extractors.text import normalise, one_line
from documents.rules.notices import About, naming
from documents.rules.types import Extraction

_MAX_PAGES = 5000
_WHITE = 0.985


class PdfExtractor:
    def extract(self, path: Path) -> Extraction:
        boxes, title = _gate(path)
        document = _open(path)
        lines: list[Line] = []
        tables: list[Table] = []
        empty: list[int] = []
        for box in boxes:
            spans = list(_spans(document, box.number - 1))
            if not any(span.text.strip() for span in spans):
                empty.append(box.number)
            rules = list(_rules(document, box.number - 1))
            framed, rest = ruled_tables(rules, spans, box.number)
            banded, rest = banded_tables(rules, rest, box.number)
            tables += framed + banded
            lines += lines_of(rest, box.number)
        if len(empty) == len(boxes):
            raise ExtractionError(Why.SCANNED)
        dropped = furniture(lines, boxes)
        lines = [line for index, line in enumerate(lines) if index not in dropped]
        items = _in_order(lines, _without_running(tables, boxes))
        if not items:
            raise ExtractionError(Why.SCANNED)
        blocks = Flow(items, _outline(document)).blocks()
        warnings = [naming(About.EMPTY_PAGES, map(str, empty))] if empty else []
        return assemble(
            blocks, title=title, trust_title=False, extractor="pdf", page_count=len(boxes), warnings=warnings
        )


def _gate(path: Path) -> tuple[list[PageBox], str]:
    """The pages' boxes and the title in the properties; ExtractionError for a locked, broken or huge file."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise ExtractionError(Why.ENCRYPTED if "assword" in str(error) else Why.UNREADABLE) from error
    try:
        count = len(document)
        if count == 0:
            raise ExtractionError(Why.UNREADABLE)
        if count > _MAX_PAGES:
            raise ExtractionError(Why.TOO_LARGE)
        boxes = []
        for index in range(count):
            _, bottom, _, top = document[index].get_mediabox()
            boxes.append(PageBox(index + 1, bottom, top))
        return boxes, one_line(document.get_metadata_dict().get("Title", ""))
    except pypdfium2.PdfiumError as error:
        raise ExtractionError(Why.UNREADABLE) from error
    finally:
        document.close()


def _open(path: Path) -> pdf_oxide.PdfDocument:
    pdf_oxide.set_log_level("off")
    try:
        return pdf_oxide.PdfDocument(str(path))
    except Exception as error:  # its errors have no common base
        raise ExtractionError(Why.UNREADABLE) from error


def _spans(document: pdf_oxide.PdfDocument, page: int) -> Iterator[Span]:
    """Upright text of a page, without the second copy that imitates bold type."""
    seen: set[tuple[str, int, int]] = set()
    for span in document.extract_spans(page):
        x, y, width, height = span.page_bbox
        if len(span.text) > 3 and height > 2.5 * max(width, 1.0):
            continue  # turned text: a watermark or a stamp in the margin
        key = (span.text, round(x), round(y))
        if span.text.strip() and key in seen:
            continue
        seen.add(key)
        text = normalise(span.text.replace("\n", " ").replace("\x7f", "•"))  # WinAnsi draws its unused codes as bullets
        lead = " " if span.text[:1].isspace() else ""
        tail = " " if span.text[-1:].isspace() and text else ""
        if lead or text:
            yield Span(lead + text + tail, x, y, width, span.font_size, span.is_bold, span.is_monospace)


def _rules(document: pdf_oxide.PdfDocument, page: int) -> Iterator[Rule]:
    """Lines, boxes, and the edges of coloured cells. White ones and the background of a page draw no table."""
    for path in document.extract_paths(page):
        stroked = _visible(path.get("stroke_color"))
        filled = _visible(path.get("fill_color"))
        if not stroked and not filled:
            continue
        for x0, y0, x1, y1, whole in _boxes(path.get("operations", [])):
            thin = x1 - x0 < 2.5 or y1 - y0 < 2.5
            if thin and (stroked or filled):
                yield Rule(x0, y0, x1, y1)
            elif whole and (stroked or (x1 - x0 < 500 and 7 < y1 - y0 < 200)):  # a filled cell has edges too
                yield from (
                    Rule(x0, y0, x1, y0),
                    Rule(x0, y1, x1, y1),
                    Rule(x0, y0, x0, y1),
                    Rule(x1, y0, x1, y1),
                )


def _visible(color: Sequence[float] | None) -> bool:
    return color is not None and any(channel < _WHITE for channel in color)


def _boxes(operations: Sequence[Mapping[str, Any]]) -> Iterator[tuple[float, float, float, float, bool]]:
    """(x0, y0, x1, y1, is a rectangle) of each piece of a path."""
    x = y = 0.0
    for step in operations:
        name = step["op"]
        if name == "rectangle":
            a, b = step["x"], step["y"]
            c, d = a + step["width"], b + step["height"]
            yield min(a, c), min(b, d), max(a, c), max(b, d), True
        elif name == "move_to":
            x, y = step["x"], step["y"]
        elif name == "line_to":
            yield min(x, step["x"]), min(y, step["y"]), max(x, step["x"]), max(y, step["y"]), False
            x, y = step["x"], step["y"]


def _in_order(lines: Sequence[Line], tables: Sequence[Table]) -> list[Item]:
    """Lines and tables of each page from top to bottom; runs of lines in columns become tables too."""
    pages = sorted({line.page for line in lines} | {table.page for table in tables})
    result: list[Item] = []
    for page in pages:
        own = [line for line in lines if line.page == page]
        items: list[Item] = []
        position = 0
        for start, end, table in blank_tables(own, page):
            items += [*own[position:start], table]
            position = end
        items += own[position:]
        for table in sorted((t for t in tables if t.page == page), key=lambda t: -t.top):
            index = next((i for i, item in enumerate(items) if _height(item) < table.top), len(items))
            items.insert(index, table)
        result += items
    return result


def _height(item: Item) -> float:
    return item.top if isinstance(item, Table) else item.y


def _without_running(tables: Sequence[Table], boxes: Sequence[PageBox]) -> list[Table]:
    """Without the framed header (logo, code, version, page) that company documents repeat on each page."""
    keys = [(signature("|".join("|".join(row) for row in table.rows)), round(table.top / 12)) for table in tables]
    pages: dict[tuple[str, int], set[int]] = {}
    for key, table in zip(keys, tables, strict=True):
        pages.setdefault(key, set()).add(table.page)
    needed = max(2, 0.5 * len(boxes))
    return [t for key, t in zip(keys, tables, strict=True) if len(pages[key]) < needed or len(t.rows) > 6]


def _outline(document: pdf_oxide.PdfDocument) -> Outline:
    levels: dict[str, int] = {}
    pending = [(entry, 1) for entry in (document.get_outline() or [])]
    while pending and len(levels) < 10_000:
        entry, level = pending.pop()
        levels.setdefault(outline_key(normalise(entry.get("title", ""))), min(level, 6))
        pending += [(child, level + 1) for child in entry.get("children", [])]
    levels.pop("", None)
    return Outline(levels)
