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
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\d{0,4}$|…{2,}\s*\d{0,4}$")
_TRAILING_PAGE = re.compile(r"[\s.:;…_–-]*\d{1,4}$")
_INLINE = re.compile(r"(?<=[;:.])\s(?:e\s|ou\s)?\(?([a-z])\)\s?(?=\S)")
_INLINE_ROMAN = re.compile(r"(?<=[;:.])\s([IVX]{1,5})\s[-–—]\s(?=\S)")
_CLAUSE_START = re.compile(r"(\d{1,2})\.1\s?[-–—.]\s")
_INLINE_CLAUSE = re.compile(r"(?<=[;:.])\s(\d{1,2})\.(\d{1,2})\s?[-–—.]\s(?=\S)")
_ROMANS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII"]


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
        if _LEADERS.search(block.text):
            continue
        if inside:
            if _is_entry(block, index, later):
                continue
            inside = False
        kept.append(block)
    return kept


def _is_entry(block: Block, index: int, later: dict[str, int]) -> bool:
    if _LEADERS.search(block.text):
        return True
    whole, bare = _key(block.text), _key(_TRAILING_PAGE.sub("", block.text))
    unnumbered = re.sub(r"^\d+", "", bare)
    return any(later.get(key, -1) > index for key in (whole, bare, unnumbered) if key)


def _contents_follow(blocks: Sequence[Block], start: int, later: dict[str, int]) -> bool:
    following = blocks[start : start + 3]
    entries = sum(_is_entry(block, start + index, later) for index, block in enumerate(following))
    return bool(following) and entries >= min(2, len(following))


def split_inline_items(text: str) -> str:
    """Put alíneas and incisos that were typed in one run ("a) …; b) …") each on its own line.

    The text keeps its length: one space becomes one line break. Only a sequence from "a" or "I" counts.
    """
    cuts = _sequence(text, _INLINE, [chr(c) for c in range(ord("a"), ord("z") + 1)], r"\(?a\)")
    cuts += _sequence(text, _INLINE_ROMAN, _ROMANS, r"I\s?[-–—]\s")
    cuts += _clauses(text)
    if not cuts:
        return text
    chars = list(text)
    for position in cuts:
        chars[position] = "\n"
    return "".join(chars)


def _sequence(text: str, pattern: re.Pattern[str], names: list[str], opening: str) -> list[int]:
    cuts: list[int] = []
    expected = 1 if re.match(opening, text) else 0
    for match in pattern.finditer(text):
        if expected < len(names) and match[1] == names[expected]:
            cuts.append(match.start())
            expected += 1
    return cuts if expected >= 2 else []


def _clauses(text: str) -> list[int]:
    """Where "4.2 – …" and "4.3 – …" begin in a run that opens with "4.1 – " or "…: 4.1 – "."""
    cuts: list[int] = []
    first = _CLAUSE_START.match(text)
    expected = (first[1], 2) if first else ("", 1)
    for match in _INLINE_CLAUSE.finditer(text):
        major, minor = match[1], int(match[2])
        if minor == expected[1] and expected[0] in ("", major):
            cuts.append(match.start())
            expected = (major, minor + 1)
    return cuts if expected[1] > 2 else []


def paragraph(text: str, pages: tuple[tuple[int, int], ...] = ()) -> Block:
    return Block(BlockKind.ITEM if is_item(text) else BlockKind.PARAGRAPH, text, pages=pages)
