"""Plain text to blocks: paragraphs re-flowed, headings told by numbering or capitals."""

from __future__ import annotations

import re
from pathlib import Path

from documents.extractors.assemble import assemble
from documents.extractors.blocks import Block, BlockKind, paragraph
from documents.extractors.encoding import decode
from documents.extractors.hyphens import LineJoiner
from documents.extractors.text import normalise
from documents.rules.legal import ARTICLE, LEGAL, depth, division_rank, is_item
from documents.rules.types import Extraction

_WRAPPED = 55  # a line at least this long that ends in mid-sentence was wrapped by an editor


class PlainExtractor:
    def extract(self, path: Path) -> Extraction:
        text, warnings = decode(path.read_bytes())
        return assemble(list(_blocks(normalise(text))), extractor="text", warnings=warnings)


def _blocks(text: str) -> list[Block]:
    groups = [group.split("\n") for group in re.split(r"\n\s*\n", text) if group.strip()]
    joiner = LineJoiner(line for group in groups for line in group)
    blocks: list[Block] = []
    for group in groups:
        alone = len(group) == 1
        current = ""
        for index, line in enumerate(group):
            if _is_heading(line, alone or index == 0):
                blocks += [paragraph(current)] if current else []
                current = ""
                blocks.append(Block(BlockKind.HEADING, line, _level(line)))
            elif current and _goes_on(group[index - 1], line):
                current = joiner.join(current, line)
            else:
                blocks += [paragraph(current)] if current else []
                current = line
        blocks += [paragraph(current)] if current else []
    return blocks


def _is_heading(line: str, first: bool) -> bool:
    if len(line) > 120 or not first or line.endswith((";", ",", ":")) or not re.search(r"[^\W\d_]", line):
        return False
    if division_rank(line) or (line.isupper() and len(line) > 3):
        return True
    if ARTICLE.match(line) or LEGAL.match(line):
        return False
    return depth(line) > 0 and not line.endswith(".") and len(line) <= 90


def _level(line: str) -> int:
    return division_rank(line) or depth(line) or 1


def _goes_on(previous: str, line: str) -> bool:
    if is_item(line) or LEGAL.match(line):
        return False
    return len(previous) >= _WRAPPED and (line[:1].islower() or not previous.endswith((".", ":", ";", "!", "?")))
