"""Running headers, footers and page numbers: what repeats in the margins of most pages and belongs to none."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from documents.extractors.pdf_lines import Line
from documents.rules.legal import ANNEX, depth, division_rank

_MONTHS = (
    r"janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro"
    r"|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez"
)
_PAGE_NUMBER = re.compile(
    r"[-–—\s|]*(?:p[áa]g(?:ina)?\.?\s*)?\d{1,4}(?:\s*(?:/|de|of)\s*\d{1,4})?[-–—\s|]*"
    r"|p[áa]g(?:ina)?\.?\s*[ivxlc]+",
    re.I,
)
_LABELLED_PAGE = re.compile(
    r".*\bp[áa]g(?:ina)?\.?\s*:?\s*\d{1,4}\s*(?:/|de|of)\s*\d{1,4}\b.*|\d{1,4}\s*(?:/|de)\s*\d{1,4}", re.I
)
_ZONE = 0.16


@dataclass(frozen=True, slots=True)
class PageBox:
    number: int
    bottom: float
    top: float


def signature(text: str) -> str:
    """The text with digits and months generalised, so that the same header on each page is the same."""
    text = re.sub(rf"\b(?:{_MONTHS})\b", "@", text.lower())
    return re.sub(r"\d+", "0", re.sub(r"\s+", "", text))


def furniture(lines: Sequence[Line], pages: Sequence[PageBox]) -> set[int]:
    """Indexes of the lines to drop: repeated in the same place on most pages, or a page number in the margin."""
    boxes = {page.number: page for page in pages}
    places: dict[tuple[str, bool], list[tuple[int, float]]] = defaultdict(list)
    members: dict[tuple[str, bool], list[int]] = defaultdict(list)
    drop: set[int] = set()
    for index, line in enumerate(lines):
        box = boxes[line.page]
        height = max(box.top - box.bottom, 1.0)
        relative = (line.y - box.bottom) / height
        if _ZONE < relative < 1 - _ZONE:
            continue
        key = (signature(line.text), relative > 0.5)
        places[key].append((line.page, line.y))
        members[key].append(index)
        in_margin = relative < 0.1 or relative > 0.9
        if in_margin and (_LABELLED_PAGE.fullmatch(line.text) or _is_number(line, box)):
            drop.add(index)
    if len(pages) == 1:
        drop.update(_margins_of_one_page(lines, pages[0]))
    needed = max(2, 0.5 * len(pages)) if len(pages) > 2 else 2
    for key, found in places.items():
        repeated = [lines[index].text for index in members[key]]
        if len({page for page, _ in found}) < needed or not _same_place([y for _, y in found]):
            continue
        if len(set(repeated)) == 1 or not any(_names_a_part(text) for text in repeated):
            drop.update(members[key])
    return drop


def _names_a_part(text: str) -> bool:
    """ "CAPÍTULO 2" or "3. Prazos" at the top of page after page are headings: their numbers count parts, not pages."""
    return bool(depth(text) or division_rank(text) or ANNEX.match(text)) and not _LABELLED_PAGE.fullmatch(text)


def _margins_of_one_page(lines: Sequence[Line], box: PageBox) -> set[int]:
    """Where nothing can repeat: small print at the very edge of the page, smaller than the text."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    height = max(box.top - box.bottom, 1.0)
    return {
        index
        for index, line in enumerate(lines)
        if line.size <= 0.9 * body and not 0.05 < (line.y - box.bottom) / height < 0.94
    }


def _is_number(line: Line, box: PageBox) -> bool:
    match = _PAGE_NUMBER.fullmatch(line.text)
    if not match:
        return False
    digits = re.findall(r"\d+", line.text)
    return not digits or abs(int(digits[0]) - box.number) <= 30


def _same_place(heights: Sequence[float]) -> bool:
    middle = sorted(heights)[len(heights) // 2]
    return sum(abs(y - middle) <= 6 for y in heights) >= 0.8 * len(heights)
