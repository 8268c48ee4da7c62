"""Text in PDF markup, with a font that has each of its letters.

Helvetica, which every viewer has, covers Windows-1252 and so Portuguese; Vera, which ships with reportlab, covers
the mathematical signs. A letter that neither has is refused: a black box on a page is worse than an error.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from evaluation.demo.errors import SourceError
from evaluation.demo.render.blocks import Block, Spans, all_spans

FALLBACK = "Vera"


@cache
def _fallback_letters() -> frozenset[int]:
    pdfmetrics.registerFont(TTFont(FALLBACK, "Vera.ttf"))
    return frozenset(pdfmetrics.getFont(FALLBACK).face.charToGlyph)


def _in_helvetica(letter: str) -> bool:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def check_letters(blocks: tuple[Block, ...], path: Path) -> None:
    """Raise `SourceError` at the first letter that no font of the PDF has."""
    for spans, line in all_spans(blocks):
        for letter in (letter for span in spans for letter in span.text):
            if not _in_helvetica(letter) and ord(letter) not in _fallback_letters():
                raise SourceError(path, line, f"the PDF's fonts have no letter {letter!r} (U+{ord(letter):04X})")


def escaped(text: str) -> str:
    """Text for a reportlab paragraph, the letters that Helvetica lacks set in the fallback font."""
    parts = []
    for fits, letters in groupby(text, _in_helvetica):
        run = escape("".join(letters))
        if not fits:
            _fallback_letters()
            run = f'<font name="{FALLBACK}">{run}</font>'
        parts.append(run)
    return "".join(parts)


def markup(spans: Spans) -> str:
    """Spans as reportlab's inline XML."""
    parts = []
    for span in spans:
        text = escaped(span.text)
        for tag, applies in (("b", span.bold), ("i", span.italic)):
            text = f"<{tag}>{text}</{tag}>" if applies else text
        text = f'<font name="Courier">{text}</font>' if span.code else text
        parts.append(f"<a href={quoteattr(span.href)} color='#1B5E9B'>{text}</a>" if span.href else text)
    return "".join(parts)
