"""Markdown stays Markdown: the source goes out as it was written, once it is known to parse."""

from __future__ import annotations

from evaluation.demo.render.blocks import Document
from evaluation.demo.render.sheet import Sheet


def render_markdown(document: Document, sheet: Sheet) -> bytes:
    """The source text with one final newline, as UTF-8."""
    return (document.source.rstrip("\n") + "\n").encode()
