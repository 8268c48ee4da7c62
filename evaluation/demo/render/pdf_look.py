"""Colours, type and tables of the PDF."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Paragraph as Flow
from reportlab.platypus import Table as FlowTable
from reportlab.platypus import TableStyle

from evaluation.demo.render.blocks import Span, Table, plain
from evaluation.demo.render.fonts import markup

BRAND, ACCENT = HexColor("#12355B"), HexColor("#E07A1F")
TEXT, GREY, LINE, STRIPE = HexColor("#1C2733"), HexColor("#5A6774"), HexColor("#CCD5DE"), HexColor("#F3F6F9")

_BODY = ParagraphStyle(
    "body0",
    fontName="Helvetica",
    fontSize=10,
    leading=14.2,
    textColor=TEXT,
    spaceAfter=6,
    allowWidows=0,
    allowOrphans=0,
)
_HEADING = ParagraphStyle("heading", _BODY, fontName="Helvetica-Bold", textColor=BRAND, keepWithNext=1, spaceAfter=5)
STYLES: dict[str, ParagraphStyle] = {
    "kicker": ParagraphStyle("kicker", _BODY, fontName="Helvetica-Bold", fontSize=8.5, textColor=ACCENT, spaceAfter=4),
    "title": ParagraphStyle("title", _HEADING, fontSize=20, leading=24, spaceAfter=6, keepWithNext=0),
    "body0": _BODY,
    "body1": ParagraphStyle("body1", _BODY, leftIndent=0.8 * cm),
    "body2": ParagraphStyle("body2", _BODY, leftIndent=1.6 * cm),
    "item": ParagraphStyle("item", _BODY, leftIndent=0.65 * cm, bulletIndent=0.15 * cm, spaceAfter=3),
    "code": ParagraphStyle(
        "code", _BODY, fontName="Courier", fontSize=8.5, leading=11, backColor=STRIPE, borderPadding=4
    ),
    "cell": ParagraphStyle("cell", _BODY, fontSize=9, leading=11.8, spaceAfter=0, splitLongWords=1),
    **{
        f"h{level}": ParagraphStyle(f"h{level}", _HEADING, fontSize=size, leading=size * 1.3, spaceBefore=before)
        for level, (size, before) in enumerate(((15, 14), (13, 13), (11, 9), (10, 7), (10, 6), (10, 6)), start=1)
    },
}
_ALIGN = {"left": TA_LEFT, "center": TA_CENTER, "right": TA_RIGHT}
_PADDING = 6


def text_table(table: Table, width: float, *, cover: bool = False) -> FlowTable:
    """A table as wide as the column; its header repeats on each page, and the cover's is set lighter."""
    header = [tuple(Span(s.text, True, s.italic, s.code, s.href) for s in cell) for cell in table.header]
    colour = BRAND if cover else HexColor("#FFFFFF")
    heads = [
        ParagraphStyle(f"head-{align}", STYLES["cell"], textColor=colour, alignment=_ALIGN[align])
        for align in table.aligns
    ]
    rows = [[Flow(markup(cell), style) for cell, style in zip(header, heads, strict=True)]] if header else []
    styles = [ParagraphStyle(f"cell-{align}", STYLES["cell"], alignment=_ALIGN[align]) for align in table.aligns]
    rows += [[Flow(markup(cell), style) for cell, style in zip(row, styles, strict=True)] for row in table.rows]
    first = 1 if header else 0
    commands = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), _PADDING),
        ("RIGHTPADDING", (0, 0), (-1, -1), _PADDING),
        ("TOPPADDING", (0, 0), (-1, -1), 4),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 5),
        ("LINEBELOW", (0, first), (-1, -1), 0.5, LINE),
        ("BOX", (0, 0), (-1, -1), 0.5, LINE),
    ]
    if header:
        commands.append(("BACKGROUND", (0, 0), (-1, 0), STRIPE if cover else BRAND))
    if not cover:
        commands.append(("ROWBACKGROUNDS", (0, first), (-1, -1), (HexColor("#FFFFFF"), STRIPE)))
    return FlowTable(
        rows,
        colWidths=_widths(table, width),
        repeatRows=first,
        style=TableStyle(commands),
        spaceBefore=4,
        hAlign="LEFT",
        splitInRow=1,
    )


def _widths(table: Table, width: float) -> list[float]:
    """Each column gets the room of its longest word, and then a share of the rest by how much it has to say."""
    columns = list(zip(*((table.header,) if table.header else ()), *table.rows, strict=True))
    longest = [max((_width(word) for cell in column for word in plain(cell).split()), default=0) for column in columns]
    least = [word + 2 * _PADDING + 2 for word in longest]
    whole = [max((_width(plain(cell)) for cell in column), default=0) + 2 * _PADDING + 2 for column in columns]
    if sum(least) > width:
        # Too many or too long words: they break, and each column still gets its even share at most.
        least = [min(part, width / len(least)) for part in least]
    wish = [max(want, floor) - floor for want, floor in zip(whole, least, strict=True)]
    spare = width - sum(least)
    # Square roots, so that one long column does not starve the others; a little for each, so that none is cramped.
    weights = [(amount + 8) ** 0.5 for amount in wish]
    return [floor + spare * weight / sum(weights) for floor, weight in zip(least, weights, strict=True)]


def _width(text: str) -> float:
    return float(stringWidth(text, "Helvetica-Bold", 9))
