"""Where a revision is cut into passages. A passage never crosses a section, and cites it exactly.

What belongs together stays together: an article with its paragraphs, a question with its answer, an item of minutes
with its decision. Only what doesn't fit the embedder's window is cut, at the strongest break, with a short overlap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from documents.rules import sentences
from documents.rules.legal import ARTICLE
from documents.rules.packing import BAD, CLAUSE, FORCED, ITEM, PARAGRAPH, SENTENCE, SUBITEM, Unit, cut
from documents.rules.types import ChunkSpan, Kind, SectionSpan

POLICY_VERSION = "1"

Count = Callable[[str], int]
SpanT = tuple[int, int]

LIMIT = 480  # tokens of a passage with its heading
WINDOW = 512  # tokens that the embedder reads
_MARGIN = 4  # separators between heading and text
_LEAST = 96  # a heading may not squeeze its text below this
_BARE = 25  # tokens of an agenda item that is only a title
_LEAD = 40  # tokens of a lead that goes with the first item of a list

_QUESTION = re.compile(r"(?!R(?:esposta)?\s*[:.)])[^\n]{3,300}\?[\"”')]*$")
_QUESTION_LABEL = re.compile(r"(?:P|Pergunta|Q|Dúvida)\s*\d*\s*[:.)–-]", re.I)
_AGENDA = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\s*[.)–-]\s|(?:item|pauta|assunto|ponto|t[oó]pico)\s+\d+"
    r"|(?:delibera[cç][aã]o|decis[aã]o|encaminhamento|resolu[cç][aã]o)\s*(?:n[º°.]*\s*)?\d+)",
    re.I,
)
_DECIDING = re.compile(r"delibera|decis|encaminha|pauta|ordem do dia|assuntos", re.I)


def chunk(
    text: str,
    sections: Sequence[SectionSpan],
    kind: Kind,
    *,
    heading_tokens: Callable[[SectionSpan], int],
    count: Count,
    limit: int = LIMIT,
) -> list[ChunkSpan]:
    """Passages of a revision in order; `ordinal` counts them from 0. A section without a body gives none.

    `count` gives the tokens of a text as the embedder counts them, special ones included. A passage with its heading
    stays within `limit` tokens (and the embedder's window), unless the heading alone leaves no room.
    """
    result: list[ChunkSpan] = []
    base = count("")
    for number, section in enumerate(sections):
        budget = max(_LEAST, min(limit, WINDOW - _MARGIN) - heading_tokens(section))
        meter = _Meter(text, count, base, min(budget, limit))
        for units in _section(meter, section, kind):
            result.append(
                ChunkSpan(
                    section=number,
                    ordinal=len(result),
                    start=units[0].span[0],
                    end=units[-1].span[1],
                    sentences=tuple(unit.span for unit in units),
                    stems=tuple(unit.stem for unit in units),
                )
            )
    return result


@dataclass(frozen=True, slots=True)
class _Meter:
    """What a stretch of the text costs, and what one passage of this section may cost without the special tokens."""

    text: str
    count: Count
    base: int
    budget: int

    @property
    def room(self) -> int:
        return max(1, self.budget - self.base)

    def tokens(self, start: int, end: int) -> int:
        return max(1, self.count(self.text[start:end]) - self.base)


def _section(meter: _Meter, section: SectionSpan, kind: Kind) -> Iterator[list[Unit]]:
    units = list(_units(meter, section))
    for group in _groups(meter, section, kind, units):
        for piece in cut(group, meter.room):
            yield from _verified(meter, piece)


def _units(meter: _Meter, section: SectionSpan) -> Iterator[Unit]:
    text = meter.text
    spans, stems = sentences.split(text, section.body_start, section.end)
    before = None
    for span, stem in zip(spans, stems, strict=True):
        opens = before is None or "\n" in text[before[1] : span[0]]
        kind = sentences.line_kind(_line(text, span[0])) if opens else ""
        strength = _strength(text, span, kind, before) if opens else SENTENCE
        tokens = meter.tokens(*span)
        prose = not kind and stem is None
        if tokens <= meter.room:
            yield Unit(span, stem, tokens, strength, prose)
        else:
            for index, piece in enumerate(_hard_cut(meter, span, tokens)):
                yield Unit(piece, stem, meter.tokens(*piece), FORCED if index else strength, False)
        before = span


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]


def _strength(text: str, span: SpanT, kind: str, before: SpanT | None) -> int:
    if before is not None and text[before[1] - 1] == ":":
        return BAD  # between a lead and what it announces
    if kind == "clause" or text.startswith("§", span[0]) or text[span[0] : span[0] + 9].lower() == "parágrafo":
        return CLAUSE
    if not kind:
        return PARAGRAPH
    return ITEM if kind in ("inciso", "number") else SUBITEM


def _hard_cut(meter: _Meter, span: SpanT, tokens: int) -> Iterator[SpanT]:
    """Pieces of a sentence that no window holds: at spaces, and inside a word only when the word alone is too long."""
    text = meter.text
    start, end = span
    step = max(8, int((end - start) * meter.room / tokens))
    while start < end:
        stop = _at_space(text, start, min(end, start + step), end)
        while meter.tokens(start, stop) > meter.room and stop - start > 1:
            stop = _at_space(text, start, start + max(1, (stop - start) * 3 // 4), end)
        first, last = start, stop
        while first < last and text[first].isspace():
            first += 1
        while last > first and text[last - 1].isspace():
            last -= 1
        if first < last:
            yield first, last
        start = stop


def _at_space(text: str, start: int, stop: int, end: int) -> int:
    """The last space in the second half of `start:stop`, or `stop` where a word fills it."""
    if stop >= end:
        return end
    space = text.rfind(" ", start + 1, stop)
    return space if space > start + (stop - start) // 2 else stop


def _groups(meter: _Meter, section: SectionSpan, kind: Kind, units: list[Unit]) -> Iterator[list[Unit]]:
    """Runs of units that never share a passage: articles, questions with their answers, items of minutes."""
    text = meter.text
    starts = {index for index in _openings(text, section, kind, units) if index}
    group: list[Unit] = []
    for index, unit in enumerate(units):
        if index in starts and group:
            lead = index == len(group) and text[group[-1].span[1] - 1] == ":" and sum(u.tokens for u in group) <= _LEAD
            if not lead or sum(u.tokens for u in group) + unit.tokens > meter.room:
                yield group
                group = []
        group.append(unit)
    if group:
        yield group


def _openings(text: str, section: SectionSpan, kind: Kind, units: list[Unit]) -> Iterator[int]:
    lines = [(index, _line(text, unit.span[0])) for index, unit in enumerate(units) if _opens_line(text, unit)]
    if kind is Kind.FAQ and not section.heading.rstrip().endswith("?"):
        asked = False
        for index, line in lines:
            asks = bool(_QUESTION.match(line) or _QUESTION_LABEL.match(line))
            if asks and not asked:
                yield index
            asked = asks
    elif kind is Kind.MINUTES:
        marked = [index for index, line in lines if _AGENDA.match(line)]
        if not marked and _DECIDING.search(section.heading):
            marked = [index for index, line in lines if sentences.line_kind(line) in ("bullet", "inciso", "alinea")]
        # A bare agenda is one list; items that say what was decided stand alone.
        edges = [*marked, len(units)]
        if any(sum(unit.tokens for unit in units[a:b]) > _BARE for a, b in pairwise(edges)):
            yield from marked
    else:
        yield from (index for index, line in lines if ARTICLE.match(line))


def _opens_line(text: str, unit: Unit) -> bool:
    position = unit.span[0]
    while position and text[position - 1] in " \t":
        position -= 1
    return position == 0 or text[position - 1] == "\n"


def _verified(meter: _Meter, units: list[Unit]) -> Iterator[list[Unit]]:
    """The piece, halved where the tokens of the whole turn out more than the sum of its sentences'."""
    close = sum(unit.tokens for unit in units) > 0.9 * meter.room
    if close and len(units) > 1 and meter.tokens(units[0].span[0], units[-1].span[1]) > meter.room:
        middle = len(units) // 2
        yield from _verified(meter, units[:middle])
        yield from _verified(meter, units[middle:])
    else:
        yield units
