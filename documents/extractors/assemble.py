"""From blocks to the finished text with its sections and pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from documents.extractors.anchors import START, anchors
from documents.extractors.base import MAX_TEXT_CHARS, ExtractionError, Why
from documents.extractors.blocks import Block, BlockKind, drop_contents
from documents.extractors.inline_items import split_inline_items
from documents.rules.legal import ANNEX, ARTICLE, depth, division_rank
from documents.rules.notices import About, Notice, naming
from documents.rules.types import Extraction, PageSpan, SectionSpan

_PLACEHOLDER = re.compile(r"\$\{[^{}\n]{1,80}\}|\{\{[^{}\n]{1,80}\}\}|«[^«»\n]{1,60}»")


_KICKER = 60  # characters that a title may have above it without being cited
_TITLE_WITHIN = 400


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str
    level: int
    start: int
    end: int


def assemble(
    blocks: Sequence[Block],
    *,
    title: str = "",
    trust_title: bool = True,
    extractor: str = "",
    page_count: int = 0,
    warnings: Sequence[Notice] = (),
) -> Extraction:
    """One line a block, a blank line before each heading. `title` names the part before the first heading.

    `trust_title=False` for titles from file properties, which are often leftovers of another document.
    """
    blocks = [block for block in drop_contents(blocks) if any(c.isalnum() for c in block.text)]
    if not blocks:
        raise ExtractionError(Why.UNREADABLE)
    pieces: list[str] = []
    position = 0
    headings: list[_Heading] = []
    page_starts: dict[int, int] = {}
    for index, block in enumerate(blocks):
        if index:
            separator = "\n\n" if block.kind is BlockKind.HEADING else "\n"
            pieces.append(separator)
            position += len(separator)
        text = block.text if block.kind in (BlockKind.HEADING, BlockKind.ROW) else split_inline_items(block.text)
        for offset, page in block.pages:
            page_starts.setdefault(page, position + offset)
        pieces.append(text)
        if block.kind is BlockKind.HEADING:
            headings.append(_Heading(block.text, block.level, position, position + len(text)))
        position += len(text)
        if position > MAX_TEXT_CHARS:
            raise ExtractionError(Why.TOO_LARGE)
    text = "".join(pieces)
    title = title if trust_title else plausible_title(title, text)
    return Extraction(
        text=text,
        sections=_sections(text, headings, title),
        pages=_pages(page_starts, page_count, len(text)),
        warnings=(*warnings, *_placeholder_warning(text)),
        extractor=extractor,
    )


def _sections(text: str, headings: list[_Heading], title: str) -> tuple[SectionSpan, ...]:
    end = len(text)
    sections: list[SectionSpan] = []
    number = _title_index(headings)
    if number is not None:
        first = headings[number]
        headings = headings[number + 1 :]
        stop = headings[0].start if headings else end
        # A line above the title ("POLÍTICA · RH") says nothing of its own; more than a line is kept to be read.
        body = _skip_space(text, first.end, stop) if first.start <= _KICKER else 0
        sections.append(SectionSpan(first.text, 0, (first.text,), START, 0, body, stop))
    elif not headings or headings[0].start > 0:
        stop = headings[0].start if headings else end
        sections.append(SectionSpan(title, 0, (title,) if title else (), START, 0, 0, stop))
    names = anchors([heading.text for heading in headings])
    open_: list[_Heading] = []
    for index, heading in enumerate(headings):
        stop = headings[index + 1].start if index + 1 < len(headings) else end
        while open_ and open_[-1].level >= heading.level:
            open_.pop()
        open_.append(heading)
        path = tuple(part.text for part in open_)
        body = _skip_space(text, heading.end, stop)
        sections.append(SectionSpan(heading.text, len(path), path, names[index], heading.start, body, stop))
    return tuple(sections)


def _title_index(headings: list[_Heading]) -> int | None:
    """The document's title: near the top, above every other heading in rank, and no numbered part to cite."""
    for index, heading in enumerate(headings[:3]):
        if heading.start > _TITLE_WITHIN:
            return None
        if any(other.level <= heading.level for other in (*headings[:index], *headings[index + 1 :])):
            continue
        if heading.start and heading.level and len(headings) == 1:
            return None  # the only heading, with text before it: a part of the text
        text = heading.text
        named = depth(text) or division_rank(text) or ARTICLE.match(text) or ANNEX.match(text)
        return None if named else index
    return None


def _skip_space(text: str, position: int, stop: int) -> int:
    while position < stop and text[position].isspace():
        position += 1
    return position


def _pages(starts: dict[int, int], count: int, end: int) -> tuple[PageSpan, ...]:
    """Consecutive spans that cover the text; a page without text is an empty span where the next one begins."""
    spans: list[PageSpan] = []
    next_start = end
    for number in range(count, 0, -1):
        start = min(starts.get(number, next_start), next_start)
        if number == 1:
            start = 0
        spans.append(PageSpan(number, start, next_start))
        next_start = start
    return tuple(reversed(spans))


def plausible_title(title: str, text: str) -> str:
    """The title that a file's properties state, where its words open the text too; "" for leftovers ("Documento1")."""
    words = re.findall(r"\w+", title.lower())
    opening = set(re.findall(r"\w+", text[:2000].lower()))
    return title if words and sum(word in opening for word in words) >= 0.8 * len(words) else ""


def _placeholder_warning(text: str) -> tuple[Notice, ...]:
    found = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    if not found:
        return ()
    return (naming(About.UNFILLED_FIELDS, found),)
