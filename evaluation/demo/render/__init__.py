"""One renderer a format. Each takes the block model and a `Sheet` and returns the bytes of the finished file.

The same input gives the same bytes, on any day and machine.
"""

from __future__ import annotations

from collections.abc import Callable

from evaluation.demo.render.blocks import Document
from evaluation.demo.render.docx import render_docx
from evaluation.demo.render.html import render_html
from evaluation.demo.render.markdown import render_markdown
from evaluation.demo.render.pdf import render_pdf
from evaluation.demo.render.sheet import Sheet

Renderer = Callable[[Document, Sheet], bytes]

RENDERERS: dict[str, Renderer] = {
    "docx": render_docx,
    "html": render_html,
    "md": render_markdown,
    "pdf": render_pdf,
}
