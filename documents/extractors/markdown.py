"""Markdown and plain text to blocks. Markdown goes through HTML, so that both follow one path."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from documents.extractors.encoding import decode
from documents.extractors.html import extract_html
from documents.rules.legal import ARTICLE, BULLET, LEGAL
from documents.rules.types import Extraction

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_TITLE = re.compile(r"^title:\s*(.+?)\s*$", re.M)


class MarkdownExtractor:
    def extract(self, path: Path) -> Extraction:
        text, warnings = decode(path.read_bytes())
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        title = ""
        if match := _FRONT_MATTER.match(text):
            found = _TITLE.search(match[1])
            title = found[1].strip("\"'") if found else ""
            text = text[match.end() :]
        return extract_html(to_html(text), extractor="markdown", title=title, warnings=warnings)


def to_html(text: str) -> str:
    """HTML of a Markdown text; line breaks before legal markers ("§ 1º", "b)", "II –") are kept as breaks."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    for token in tokens:
        if token.type == "ordered_list_open" and token.markup == ")":
            token.attrSet("data-delimiter", ")")
        if token.type == "inline" and token.children:
            _keep_legal_breaks(token.children)
    return "<body>" + parser.renderer.render(tokens, parser.options, {}) + "</body>"


def _keep_legal_breaks(children: list[Token]) -> None:
    for token, following in pairwise(children):
        content = following.content.lstrip()
        if token.type == "softbreak" and (LEGAL.match(content) or ARTICLE.match(content) or BULLET.match(content)):
            token.type, token.tag = "hardbreak", "br"
