"""Markdown to a small block model that every renderer understands.

All of CommonMark and pipe tables, but no raw HTML and no images: those are refused with file and line, so that
nothing is lost silently between a source and its PDF.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from evaluation.demo.errors import SourceError
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
    plain,
)

# Where a line of a paragraph opens a device of a legal text, it is a paragraph of its own, indented by its rank.
DEVICES = (
    (0, re.compile(r"(?:Art\.\s*\d|§\s*\d|Parágrafo único)")),
    (1, re.compile(r"[IVXLC]+\s*[–—-]\s")),
    (2, re.compile(r"[a-z]\)\s")),
)
PLAIN, SOFT_BREAK, HARD_BREAK = Span(""), Span("\n"), Span("\n\n")


def parse(text: str, path: Path) -> Document:
    """Read Markdown; `path` only names the file in errors. Raises `SourceError`."""
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    root = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text))
    blocks = tuple(_Reader(path).blocks(root.children))
    if not blocks or not isinstance(blocks[0], Heading) or blocks[0].level != 1:
        raise SourceError(path, 1, "the first line must be the title, as '# Title'")
    return Document(plain(blocks[0].spans), blocks[1:], path, text)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.line = 1

    def blocks(self, nodes: Iterable[SyntaxTreeNode]) -> Iterator[Block]:
        for node in nodes:
            self.line = node.map[0] + 1 if node.map else self.line
            line = self.line
            match node.type:
                case "heading":
                    yield Heading(int(node.tag[1]), self.spans(node), line)
                case "paragraph":
                    yield from self.paragraphs(node, line)
                case "bullet_list":
                    yield ListBlock(self.items(node), line)
                case "ordered_list":
                    yield ListBlock(self.items(node), line, int(node.attrs.get("start", 1)), node.markup)
                case "table":
                    yield self.table(node, line)
                case "blockquote":
                    yield Quote(tuple(self.blocks(node.children)), line)
                case "fence" | "code_block":
                    yield Code(node.content.rstrip("\n"), line)
                case "hr":
                    yield Rule(line)
                case "html_block":
                    raise SourceError(self.path, line, "raw HTML is not supported; write it as Markdown")
                case other:
                    raise SourceError(self.path, line, f"unknown block {other!r}")

    def items(self, node: SyntaxTreeNode) -> tuple[tuple[Block, ...], ...]:
        return tuple(tuple(self.blocks(item.children)) for item in node.children)

    def table(self, node: SyntaxTreeNode, line: int) -> Table:
        rows = []
        for part in node.children:
            for row in part.children:
                self.line = row.map[0] + 1 if row.map else self.line
                rows.append(tuple(self.spans(cell) for cell in row.children))
        styles = (str(cell.attrs.get("style", "")) for cell in node.children[0].children[0].children)
        aligns = tuple(style.removeprefix("text-align:") or "left" for style in styles)
        header = rows[0] if any(plain(cell).strip() for cell in rows[0]) else ()
        return Table(header, tuple(rows[1:]), aligns, line)

    def paragraphs(self, node: SyntaxTreeNode, line: int) -> Iterator[Paragraph]:
        """One paragraph, cut at hard breaks and where a line opens an article, paragraph, inciso or alínea."""
        lines: list[list[Span]] = [[]]
        forced: set[int] = set()
        for span in self.inline(node.children[0]):
            if span not in (SOFT_BREAK, HARD_BREAK):
                lines[-1].append(span)
                continue
            lines.append([])
            if span is HARD_BREAK:
                forced.add(len(lines) - 1)
        current: list[Span] = []
        started, indent = line, 0
        for offset, spans in enumerate(lines):
            rank = next((rank for rank, device in DEVICES if device.match(plain(spans))), None)
            if current and rank is None and offset not in forced:
                current.append(Span(" "))
            elif current:
                yield Paragraph(_merged(current), started, indent)
                current, started = [], line + offset
            if not current:
                indent = rank or 0
            current += spans
        yield Paragraph(_merged(current), started, indent)

    def spans(self, node: SyntaxTreeNode) -> Spans:
        """The inline text of a heading or a table cell, on one line."""
        spans = (span for child in node.children for span in self.inline(child))
        return _merged(Span(" ") if span in (SOFT_BREAK, HARD_BREAK) else span for span in spans)

    def inline(self, node: SyntaxTreeNode, style: Span = PLAIN) -> Iterator[Span]:
        """Spans in order; a line break of the source is one of the two break spans."""
        for child in node.children:
            match child.type:
                case "text":
                    yield Span(child.content, style.bold, style.italic, style.code, style.href)
                case "code_inline":
                    yield Span(child.content, style.bold, style.italic, True, style.href)
                case "strong":
                    yield from self.inline(child, Span("", True, style.italic, style.code, style.href))
                case "em":
                    yield from self.inline(child, Span("", style.bold, True, style.code, style.href))
                case "link":
                    href = str(child.attrs.get("href", ""))
                    yield from self.inline(child, Span("", style.bold, style.italic, style.code, href))
                case "softbreak" | "hardbreak":
                    self.line += 1
                    yield SOFT_BREAK if child.type == "softbreak" else HARD_BREAK
                case "image":
                    raise SourceError(self.path, self.line, "images are not supported")
                case "html_inline":
                    raise SourceError(self.path, self.line, f"raw HTML {child.content!r} is not supported")
                case other:
                    raise SourceError(self.path, self.line, f"unknown inline {other!r}")


def _merged(spans: Iterable[Span]) -> Spans:
    """Neighbours of one style joined, so that renderers write few runs."""
    merged: list[Span] = []
    for span in spans:
        last = merged[-1] if merged else None
        if last and (last.bold, last.italic, last.code, last.href) == (span.bold, span.italic, span.code, span.href):
            merged[-1] = Span(last.text + span.text, span.bold, span.italic, span.code, span.href)
        elif span.text:
            merged.append(span)
    return tuple(merged)
