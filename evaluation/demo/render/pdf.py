"""PDF as a document office would publish it: A4, running header, numbered pages, outline, tables that break well."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import assert_never

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    HRFlowable,
    Indenter,
    KeepTogether,
    PageTemplate,
    Preformatted,
    Spacer,
)
from reportlab.platypus import Paragraph as Flow

from evaluation.demo.render.blocks import (
    Block,
    Code,
    Document,
    Heading,
    ListBlock,
    Paragraph,
    Quote,
    Rule,
    Table,
    plain,
)
from evaluation.demo.render.fonts import check_letters, escaped, markup
from evaluation.demo.render.pdf_look import ACCENT, GREY, LINE, STYLES, text_table
from evaluation.demo.render.sheet import Sheet

MARGIN, TOP, BOTTOM = 2.3 * cm, 2.6 * cm, 2.2 * cm
WIDTH = A4[0] - 2 * MARGIN
HEADER_CHARACTERS = 80
SHORT_TABLE = 10  # rows; a longer one may go over the page


def render_pdf(document: Document, sheet: Sheet) -> bytes:
    """The bytes of a PDF with extractable text. Raises `SourceError` for a letter that its fonts lack."""
    check_letters(document.blocks, document.path)
    # The footer says how many pages there are, which is only known once they are laid out.
    first = _Template(document, sheet, pages=0)
    first.build(list(_story(document, sheet)))
    second = _Template(document, sheet, pages=first.page)
    second.build(list(_story(document, sheet)))
    return second.buffer.getvalue()


class _Template(BaseDocTemplate):
    """Lays out one document; draws what repeats on each page and files headings in the outline."""

    def __init__(self, document: Document, sheet: Sheet, pages: int) -> None:
        self.buffer = io.BytesIO()
        super().__init__(
            self.buffer,
            pagesize=A4,
            title=document.title,
            author=sheet.company,
            subject=sheet.reference,
            lang="pt-BR",
            invariant=1,
        )
        self.document, self.sheet, self.pages = document, sheet, pages
        self.bookmarks = 0
        self.depth = -1
        frame = Frame(MARGIN, BOTTOM, WIDTH, A4[1] - TOP - BOTTOM, 0, 0, 0, 0)
        self.addPageTemplates(PageTemplate(frames=[frame], onPage=self._edges))

    def _edges(self, canvas: Canvas, _template: BaseDocTemplate) -> None:
        right, top, bottom = A4[0] - MARGIN, A4[1] - 1.5 * cm, 1.25 * cm
        title = self.document.title
        title = title if len(title) <= HEADER_CHARACTERS else title[: HEADER_CHARACTERS - 1].rstrip() + "…"
        canvas.saveState()
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.6)
        canvas.line(MARGIN, top - 0.25 * cm, right, top - 0.25 * cm)
        canvas.line(MARGIN, bottom + 0.4 * cm, right, bottom + 0.4 * cm)
        canvas.setFillColor(GREY)
        canvas.setFont("Helvetica-Bold", 8)
        canvas.drawString(MARGIN, top, self.sheet.company)
        canvas.setFont("Helvetica", 8)
        canvas.drawRightString(right, top, title)
        canvas.drawString(MARGIN, bottom, self.sheet.reference)
        canvas.drawRightString(right, bottom, f"página {canvas.getPageNumber()} de {self.pages}")
        canvas.restoreState()

    def afterFlowable(self, flowable: Flowable) -> None:
        """Called by reportlab when a flowable has found its page."""
        if not isinstance(flowable, _HeadingFlow):
            return
        # An outline may go only one level deeper at a time, whatever the headings do.
        self.depth = min(flowable.level, self.depth + 1)
        key = f"secao-{self.bookmarks}"
        self.bookmarks += 1
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(flowable.name, key, self.depth, closed=self.depth > 0)


class _HeadingFlow(Flow):
    def __init__(self, heading: Heading) -> None:
        super().__init__(markup(heading.spans), STYLES[f"h{heading.level}"])
        self.name = plain(heading.spans)
        self.level = max(heading.level - 2, 0)


def _story(document: Document, sheet: Sheet) -> Iterator[Flowable]:
    kicker = f"{sheet.kind_label} · {sheet.area}"
    yield Flow(escaped(kicker.upper()), STYLES["kicker"])
    yield Flow(escaped(document.title), STYLES["title"])
    yield HRFlowable(width=2.2 * cm, thickness=3, color=ACCENT, hAlign="LEFT", spaceBefore=2, spaceAfter=12)
    blocks = document.blocks
    if blocks and isinstance(blocks[0], Table):
        yield text_table(blocks[0], WIDTH, cover=True)
        yield Spacer(0, 10)
        blocks = blocks[1:]
    yield from _flow(blocks, WIDTH)


def _flow(blocks: Iterable[Block], width: float) -> Iterator[Flowable]:
    for block in blocks:
        match block:
            case Heading():
                yield CondPageBreak(2.5 * cm)
                yield _HeadingFlow(block)
            case Paragraph(spans, _, indent):
                yield Flow(markup(spans), STYLES[f"body{indent}"])
            case ListBlock():
                yield from _list(block, width)
            case Table(rows=rows):
                table = text_table(block, width)
                yield KeepTogether(table) if len(rows) <= SHORT_TABLE else table
                yield Spacer(0, 9)
            case Quote(inner):
                yield from _indented(inner, width, 0.7 * cm)
            case Code(text):
                yield Preformatted(text, STYLES["code"], maxLineLength=int(width / 5.2), newLineChars="")
            case Rule():
                yield HRFlowable(width="100%", thickness=0.6, color=LINE, spaceBefore=6, spaceAfter=8)
            case _:
                assert_never(block)


def _list(block: ListBlock, width: float) -> Iterator[Flowable]:
    for number, item in enumerate(block.items, block.start or 1):
        mark = "•" if block.start is None else f"{number}{block.delimiter}"
        first, rest = (item[0], item[1:]) if item and isinstance(item[0], Paragraph) else (None, item)
        yield Flow(markup(first.spans) if first else "", STYLES["item"], bulletText=mark)
        yield from _indented(rest, width, 0.65 * cm)
    yield Spacer(0, 3)


def _indented(blocks: Iterable[Block], width: float, by: float) -> Iterator[Flowable]:
    yield Indenter(left=by)
    yield from _flow(blocks, width - by)
    yield Indenter(left=-by)
