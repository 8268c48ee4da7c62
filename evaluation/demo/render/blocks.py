"""The blocks of a text, as every renderer receives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    href: str | None = None


Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    spans: Spans
    line: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    spans: Spans
    line: int
    indent: int = 0


@dataclass(frozen=True, slots=True)
class ListBlock:
    """`start` is None for bullets; `delimiter` follows the number (`.` or `)`). An item holds blocks."""

    items: tuple[tuple[Block, ...], ...]
    line: int
    start: int | None = None
    delimiter: str = "."


@dataclass(frozen=True, slots=True)
class Table:
    """Every row has as many cells as `aligns`; an empty `header` means the table has none."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    aligns: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: tuple[Block, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Code:
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Rule:
    line: int


Block = Heading | Paragraph | ListBlock | Table | Quote | Code | Rule


@dataclass(frozen=True, slots=True)
class Document:
    """`title` is the first `# ` heading, which `blocks` leaves out."""

    title: str
    blocks: tuple[Block, ...]
    path: Path
    source: str


def plain(spans: Iterable[Span]) -> str:
    return "".join(span.text for span in spans)


def all_spans(blocks: Iterable[Block]) -> Iterator[tuple[Spans, int]]:
    """Every run of text with the line of its block, in reading order, code blocks included."""
    for block in blocks:
        match block:
            case Heading(spans=spans) | Paragraph(spans=spans):
                yield spans, block.line
            case ListBlock():
                for item in block.items:
                    yield from all_spans(item)
            case Table():
                for row in (block.header, *block.rows):
                    for cell in row:
                        yield cell, block.line
            case Quote():
                yield from all_spans(block.blocks)
            case Code():
                yield (Span(block.text, code=True),), block.line
            case Rule():
                pass
            case _:
                assert_never(block)
