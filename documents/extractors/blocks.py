"""The shape between a format and the finished text: a flat list of blocks, the same for every format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from documents.rules.legal import is_item


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """One line of the finished text. `level` counts for headings only: 0 is a title, 1 the outermost.

    `pages` says where each page begins: `(offset in text, page number)`, empty for formats without pages.
    """

    kind: BlockKind
    text: str
    level: int = 0
    pages: tuple[tuple[int, int], ...] = ()


_TOC_TITLES = {"sumário", "sumario", "índice", "indice", "conteúdo", "conteudo", "table of contents", "índice geral"}
LEADERS = re.compile(r"(?:\.\s?){4,}\s*\d{0,4}$|…{2,}\s*\d{0,4}$")
_TRAILING_PAGE = re.compile(r"[\s.:;…_–-]*\d{1,4}$")


def _key(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


_TOC_KEYS = {_key(title) for title in _TOC_TITLES}


def drop_contents(blocks: Sequence[Block]) -> list[Block]:
    """Without the table of contents: it repeats headings that come later, and says nothing that could be quoted."""
    later: dict[str, int] = {}
    for index, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            later[_key(block.text)] = index
    kept: list[Block] = []
    inside = False
    for index, block in enumerate(blocks):
        if not inside and _key(block.text) in _TOC_KEYS and _contents_follow(blocks, index + 1, later):
            inside = True
            continue
        if LEADERS.search(block.text):
            continue
        if inside:
            if _is_entry(block, index, later):
                continue
            inside = False
        kept.append(block)
    return kept


def _is_entry(block: Block, index: int, later: dict[str, int]) -> bool:
    if LEADERS.search(block.text):
        return True
    whole, bare = _key(block.text), _key(_TRAILING_PAGE.sub("", block.text))
    unnumbered = re.sub(r"^\d+", "", bare)
    return any(later.get(key, -1) > index for key in (whole, bare, unnumbered) if key)


def _contents_follow(blocks: Sequence[Block], start: int, later: dict[str, int]) -> bool:
    following = blocks[start : start + 3]
    entries = sum(_is_entry(block, start + index, later) for index, block in enumerate(following))
    return bool(following) and entries >= min(2, len(following))


def paragraph(text: str, pages: tuple[tuple[int, int], ...] = ()) -> Block:
    return Block(BlockKind.ITEM if is_item(text) else BlockKind.PARAGRAPH, text, pages=pages)
