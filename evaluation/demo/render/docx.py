"""Word documents with real heading styles, numbered pages and tables whose header row repeats."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import assert_never

import docx
from docx.document import Document as WordDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph

from evaluation.demo.render.blocks import (
    Block,
    Code,
    Document,
    Heading,
    ListBlock,
    Paragraph,
    Quote,
    Rule,
    Span,
    Spans,
    Table,
)
from evaluation.demo.render.sheet import Sheet

NAVY, ORANGE = RGBColor(0x12, 0x35, 0x5B), RGBColor(0xE0, 0x7A, 0x1F)
ALIGNS = {"right": WD_ALIGN_PARAGRAPH.RIGHT, "center": WD_ALIGN_PARAGRAPH.CENTER, "left": WD_ALIGN_PARAGRAPH.LEFT}
TEXT_WIDTH = Cm(16)
# A zip and a Word file both carry dates; a fixed one keeps the bytes the same whenever the file is built.
EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
ZIP_EPOCH = (2020, 1, 1, 0, 0, 0)


def render_docx(document: Document, sheet: Sheet) -> bytes:
    """The bytes of a .docx file whose text is the document's, under the styles Title, Heading 1–6, Normal."""
    word = docx.Document()
    _styles(word)
    _page(word, document.title, sheet)
    kicker = word.add_paragraph(style="Subtitle")
    kicker.add_run(f"{sheet.company} · {sheet.kind_label}")
    word.add_paragraph(document.title, style="Title")
    _blocks(word, document.blocks, depth=0)
    properties = word.core_properties
    properties.title, properties.author, properties.last_modified_by = document.title, sheet.company, sheet.company
    properties.subject, properties.language, properties.comments = sheet.reference, "pt-BR", ""
    dated = datetime(sheet.dated.year, sheet.dated.month, sheet.dated.day, tzinfo=UTC) if sheet.dated else EPOCH
    properties.created = properties.modified = dated
    buffer = io.BytesIO()
    word.save(buffer)
    return _stable_zip(buffer.getvalue())


def _stable_zip(data: bytes) -> bytes:
    """The same members in the same order with a fixed date."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            info = zipfile.ZipInfo(member.filename, ZIP_EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(member))
    return result.getvalue()


def _styles(word: WordDocument) -> None:
    normal = word.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(11)
    normal.paragraph_format.space_after = Pt(6)
    normal.element.rPr.append(parse_xml(f'<w:lang {nsdecls("w")} w:val="pt-BR"/>'))
    sizes = {
        "Title": 22,
        "Subtitle": 10,
        **{f"Heading {n}": size for n, size in enumerate((15, 12.5, 11.5, 11, 11, 11), 1)},
    }
    for name, size in sizes.items():
        style = word.styles[name]
        style.font.name, style.font.size, style.font.italic = "Calibri", Pt(size), False
        style.font.color.rgb = ORANGE if name == "Subtitle" else NAVY
        # The template's theme fonts would win over the name just given.
        for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            style.element.rPr.rFonts.attrib.pop(qn(f"w:{attribute}"), None)


def _page(word: WordDocument, title: str, sheet: Sheet) -> None:
    section = word.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.top_margin = section.bottom_margin = Cm(2.5)
    header, footer = section.header.paragraphs[0], section.footer.paragraphs[0]
    _edge(header, sheet.company, title)
    _edge(footer, sheet.reference, "página ")
    _field(footer, "PAGE")
    _small(footer, " de ")
    _field(footer, "NUMPAGES")


def _edge(paragraph: WordParagraph, left: str, right: str) -> None:
    """A header or footer line: one text at each margin."""
    stops = paragraph.paragraph_format.tab_stops
    inherited = paragraph.style.paragraph_format.tab_stops if paragraph.style else ()
    for stop in list(inherited):
        stops.add_tab_stop(stop.position, WD_TAB_ALIGNMENT.CLEAR)
    stops.add_tab_stop(TEXT_WIDTH, WD_TAB_ALIGNMENT.RIGHT)
    _small(paragraph, f"{left}\t{right}")


def _small(paragraph: WordParagraph, text: str) -> None:
    run = paragraph.add_run(text)
    run.font.size, run.font.color.rgb = Pt(8.5), RGBColor(0x5A, 0x67, 0x74)


def _field(paragraph: WordParagraph, name: str) -> None:
    """A field that Word fills in; `1` stands there until it does."""
    run = '<w:r><w:rPr><w:color w:val="5A6774"/><w:sz w:val="17"/></w:rPr><w:t>1</w:t></w:r>'
    paragraph._p.append(parse_xml(f'<w:fldSimple {nsdecls("w")} w:instr="{name}">{run}</w:fldSimple>'))


def _blocks(word: WordDocument, blocks: Iterable[Block], depth: int) -> None:
    for block in blocks:
        match block:
            case Heading(level, spans):
                # The title has a style of its own, so `##` is Word's first level.
                _runs(word.add_paragraph(style=f"Heading {max(level - 1, 1)}"), spans)
            case Paragraph(spans, _, indent):
                paragraph = word.add_paragraph()
                paragraph.paragraph_format.left_indent = Cm(0.75 * (indent + depth)) if indent or depth else None
                _runs(paragraph, spans)
            case ListBlock():
                _list(word, block, depth)
            case Table():
                _table(word, block)
            case Quote(inner):
                _blocks(word, inner, depth + 1)
            case Code(text):
                _runs(word.add_paragraph(), (Span(text, code=True),))
            case Rule():
                word.add_paragraph()._p.get_or_add_pPr().append(
                    parse_xml(f'<w:pBdr {nsdecls("w")}><w:bottom w:val="single" w:sz="6" w:color="CCD5DE"/></w:pBdr>')
                )
            case _:
                assert_never(block)


def _list(word: WordDocument, block: ListBlock, depth: int) -> None:
    """Numbers are written out: Word's automatic ones would be lost to every reader of the text."""
    for number, item in enumerate(block.items, block.start or 1):
        mark = "" if block.start is None else f"{number}{block.delimiter}\t"
        first, rest = (item[0], item[1:]) if item and isinstance(item[0], Paragraph) else (None, item)
        style = "List Bullet" if block.start is None else "Normal"
        paragraph = word.add_paragraph(style=style)
        paragraph.paragraph_format.left_indent = Cm(0.75 * (depth + 1))
        paragraph.paragraph_format.first_line_indent = Cm(-0.75)
        paragraph.paragraph_format.space_after = Pt(3)
        _runs(paragraph, (Span(mark), *(first.spans if first else ())))
        _blocks(word, rest, depth + 1)


def _table(word: WordDocument, block: Table) -> None:
    rows = ((block.header,) if block.header else ()) + block.rows
    table = word.add_table(rows=0, cols=len(block.aligns), style="Table Grid")
    for row_number, row in enumerate(rows):
        cells = table.add_row().cells
        is_header = bool(block.header) and row_number == 0
        for cell, spans, align in zip(cells, row, block.aligns, strict=True):
            paragraph = cell.paragraphs[0]
            paragraph.alignment = ALIGNS[align]
            paragraph.paragraph_format.space_after = Pt(2)
            _runs(paragraph, tuple(Span(s.text, True, s.italic, s.code, s.href) for s in spans) if is_header else spans)
            if is_header:
                cell._tc.get_or_add_tcPr().append(parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="E8EEF4"/>'))
        if is_header:
            table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    word.add_paragraph().paragraph_format.space_after = Pt(2)


def _runs(paragraph: WordParagraph, spans: Spans) -> None:
    for span in spans:
        run = paragraph.add_run(span.text)
        run.bold, run.italic = span.bold or None, span.italic or None
        run.font.name = "Consolas" if span.code else None
        if span.href:
            # The address is text in these documents; a relationship would add nothing that a reader can see.
            run.font.underline = True
