"""Which lines of a PDF are headings, and at what level: by outline, numbering, size and weight."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from documents.extractors.pdf_lines import Line, join_spans
from documents.rules.legal import (
    ANNEX,
    APPENDIX,
    ARTICLE,
    BULLET,
    DIVISION,
    depth,
    division_rank,
)

_MAX_LENGTH = 160
_ENDS_SENTENCE = (";", ",")
_ALONE = re.compile(rf"(?:{ARTICLE.pattern})\s*[.:–—-]?\s*$", re.I)
_MENU_PATH = re.compile(r"\w\s*(?:>|→|»)\s*\w")
Style = tuple[float, bool]


@dataclass(frozen=True, slots=True)
class Outline:
    """The bookmarks of the file: normalised title -> level from 1."""

    levels: Mapping[str, int]

    def level(self, text: str) -> int:
        return self.levels.get(outline_key(text), 0)


def outline_key(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def body_size(lines: Sequence[Line]) -> float:
    """The font size that most characters have."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


@dataclass(frozen=True, slots=True)
class Context:
    """What surrounds a line: space above it in line heights, and whether the next line goes on in the same style."""

    gap_above: float
    gap_below: float
    bold_share: float


def is_heading(line: Line, body: float, outline: Outline, around: Context) -> bool:  # noqa: PLR0911 (a list of signs)
    """Judge one line. A line in the style of its paragraph is never a heading, whatever its words."""
    text = line.text
    if len(text) > _MAX_LENGTH or not re.search(r"[^\W\d_]", text) or line.mono:
        return False
    if outline.level(text):
        return True
    if BULLET.match(text) or text.endswith(_ENDS_SENTENCE):
        return False
    if text[0].islower() or _MENU_PATH.search(text):
        return False
    if line.size < body * 0.95 and not (depth(text) or division_rank(text) or ANNEX.match(text)):
        return False  # smaller than the text: a note, or a line above the title
    larger = line.size >= body * (1.04 if line.bold else 1.15)
    bold = line.bold and around.bold_share < 0.5
    numbered = depth(text) > 0
    division = _is_division(text)
    if ARTICLE.match(text) and not (larger or bold):
        return bool(_ALONE.fullmatch(text)) and around.gap_above > 1.25
    if larger:
        return not _is_sentence(text) or numbered or division
    if division and (around.gap_above > 1.25 or text.isupper() or bold):
        return True
    if bold:
        if _is_sentence(text) and not numbered:
            return False
        return numbered or around.gap_above > 1.15 or text.isupper()
    if text.isupper() and len(text) >= 4 and len(text.split()) <= 14:
        return around.gap_above > 1.4 and (around.gap_below > 1.1 or numbered) and not text.endswith((".", ":"))
    return depth(text) >= 1 and around.gap_above > 1.35 and around.gap_below > 1.2 and not _is_sentence(text)


def _is_division(text: str) -> bool:
    match = DIVISION.match(text)
    if match:
        rest = match["rest"].strip(" -–—:.")
        return not rest or (rest[0].isupper() and not text.endswith("."))
    if ANNEX.match(text) or (APPENDIX.match(text) and text.isupper()):
        return not text.rstrip().endswith(".") and len(text) <= 100
    return False


def _is_sentence(text: str) -> bool:
    return (text.endswith((".", "!", ":")) and not text.endswith("...") and len(text.split()) > 3) or len(text) > 130


def run_in(line: Line) -> tuple[str, str] | None:
    """("2.3.1 Heading", "Rest of the line") where a numbered bold heading runs into its paragraph, else None."""
    if line.bold or not depth(line.text):
        return None
    cut = 0
    for index, span in enumerate(line.spans):
        if span.bold or not re.search(r"\w", span.text):
            cut = index + 1
        else:
            break
    head, rest = join_spans(line.spans[:cut]), join_spans(line.spans[cut:])
    if depth(head) and len(re.findall(r"[^\W\d_]{2,}", head)) >= 2 and len(head) <= 110 and rest:
        return head, rest
    return None


class Levels:
    """Levels of one document's headings: the outline's, else the depth of the number, else the rank of the style."""

    def __init__(self, headings: Sequence[tuple[str, Style]], outline: Outline) -> None:
        self._outline = outline
        styles = sorted({style for _, style in headings}, key=lambda s: (-s[0], not s[1]))
        self._rank = {style: rank for rank, style in enumerate(styles, start=1)}
        self._has_division = any(division_rank(text) for text, _ in headings)
        tops = [self._rank[style] for text, style in headings if depth(text) == 1]
        self._base = min(Counter(tops).most_common(2), key=lambda item: item[0])[0] if tops else 1
        known: dict[Style, Counter[int]] = {}
        for text, style in headings:
            if level := self._certain(text):
                known.setdefault(style, Counter())[level] += 1
        largest = Counter(style for _, style in headings if styles and style[0] >= styles[0][0] - 0.01)
        self._title = styles[0] if sum(largest.values()) == 1 and len(headings) > 1 else None
        self._by_style = {style: levels.most_common(1)[0][0] for style, levels in known.items()}

    def level(self, text: str, style: Style) -> int:
        if style == self._title and not self._certain(text):
            return 0  # the only one of its size, and larger than all
        return self._certain(text) or self._by_style.get(style) or self._rank.get(style, 1)

    def _certain(self, text: str) -> int:
        if level := self._outline.level(text):
            return level
        if rank := division_rank(text):
            return self._base + rank - 1
        if ANNEX.match(text):
            return self._base
        if ARTICLE.match(text):
            return self._base + 5
        if number := depth(text):
            return self._base + number - 1 + (4 if self._has_division else 0)
        return 0
