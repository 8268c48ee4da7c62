"""Stretches of a text as HTML. A text of forty pages has thousands of them: a template for each would take longer than
all the rest of its page."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from documents.rules.marking import Part
from documents.rules.wording import Piece

register = template.Library()
TAGS = {"added": "ins", "removed": "del"}


@register.filter
def parts(stretch: Iterable[Part]) -> SafeString:
    """With the quote marked, and the page that begins announced. Every word of the text is escaped."""
    return mark_safe("".join(map(_part, stretch)))


@register.filter
def pieces(stretch: Iterable[Piece]) -> SafeString:
    """With the words that only one of two versions has."""
    return mark_safe("".join(map(_piece, stretch)))


def _part(part: Part) -> str:
    text = str(escape(part.text))
    if part.marked:
        text = f'<mark id="_trecho" tabindex="-1">{text}</mark>' if part.first else f"<mark>{text}</mark>"
    if part.page is None:
        return text
    return f'<span class="page-break" id="pagina_{part.page:d}" data-page="{part.page:d}"></span>{text}'


def _piece(piece: Piece) -> str:
    tag, text = TAGS.get(piece.op), str(escape(piece.text))
    return f"<{tag}>{text}</{tag}>" if tag else text
