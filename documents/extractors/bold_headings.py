"""Headings of documents that have no heading styles: Word files where a bold line is the heading."""

from __future__ import annotations

import re
from collections.abc import Iterator

from documents.extractors.blocks import Block, BlockKind, paragraph
from documents.rules.legal import ROMAN, section_number

_NUMBERED_BOLD = re.compile(rf"(?:\d|cap[ií]tulo|se[cç][aã]o|anexo|cl[aá]usula|{ROMAN}\s*[-–—.])", re.I)


def bold_as_headings(blocks: list[Block], bold: set[int], leads: dict[int, str]) -> Iterator[Block]:
    """Word files without styles: short bold paragraphs that are numbered or in capitals are the headings."""
    for index, block in enumerate(blocks):
        text = block.text.rstrip(" :")
        short = len(text) <= 150 and (text.isupper() or not text.endswith((".", ";", ",")))
        titled = _NUMBERED_BOLD.match(text) or (index + 1 < len(blocks) and text.isupper()) or index == 0
        lead = leads.get(index, "").rstrip(" :")
        if index in bold and short and titled and any(c.isalpha() for c in text):
            yield Block(BlockKind.HEADING, text, 1 if index == 0 and not section_number(text) else _bold_level(text))
        elif _NUMBERED_BOLD.match(lead) and section_number(lead) and lead.isupper() and len(lead) <= 100:
            yield Block(BlockKind.HEADING, lead, _bold_level(lead))
            rest = block.text[len(lead) :].lstrip(" :–—-")
            if rest:
                yield paragraph(rest)
        else:
            yield block


def _bold_level(text: str) -> int:
    number = section_number(text)
    return 1 + (len(number) if number else 1)
