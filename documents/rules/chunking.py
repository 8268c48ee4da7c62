"""Where a revision is cut into passages. A passage never crosses a section, and cites it exactly.

What belongs together stays together: an article with its paragraphs, a question with its answer, an item of minutes with
its decision. Only what doesn't fit the embedder's window is cut, at the strongest break, with a short overlap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from documents.rules import sentences
from documents.rules.legal import ARTICLE
from documents.rules.types import ChunkSpan, Kind, SectionSpan

POLICY_VERSION = "1"

Count = Callable[[str], int]
SpanT = tuple[int, int]

LIMIT = 480  # tokens of a passage with its heading
WINDOW = 512  # tokens that the embedder reads
_MARGIN = 4  # separators between heading and text
_LEAST = 96  # a heading may not squeeze its text below this
_OVERLAP = 60  # tokens
_LEAD = 40  # tokens of a lead that goes with the first item of a list

# How good a place is to cut before a sentence.
_CLAUSE, _PARAGRAPH, _ITEM, _SUBITEM, _SENTENCE, _BAD, _FORCED = 6, 5, 4, 3, 2, 1, 0

_QUESTION = re.compile(r"(?!R(?:esposta)?\s*[:.)])[^\n]{3,300}\?[\"”')]*$")
_QUESTION_LABEL = re.compile(r"(?:P|Pergunta|Q|Dúvida)\s*\d*\s*[:.)–-]", re.I)
_AGENDA = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\s*[.)–-]\s|(?:item|pauta|assunto|ponto|t[oó]pico)\s+\d+"
    r"|(?:delibera[cç][aã]o|decis[aã]o|encaminhamento|resolu[cç][aã]o)\s*(?:n[º°.]*\s*)?\d+)",
    re.I,
)
_DECIDING = re.compile(r"delibera|decis|encaminha|pauta|ordem do dia|assuntos", re.I)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence (or a piece of one too long to fit), what it costs, and how well one may cut before it."""

    span: SpanT
    stem: SpanT | None
    tokens: int
    strength: int
    prose: bool


def chunk(
    text: str,
    sections: Sequence[SectionSpan],
    kind: Kind,
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
        for units in _section(text, section, kind, count, base, min(budget, limit)):
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


def _section(
    text: str, section: SectionSpan, kind: Kind, count: Count, base: int, budget: int
) -> Iterator[list[_Unit]]:
    room = max(1, budget - base)
    units = list(_units(text, section, count, base, room))
    for group in _groups(text, section, kind, units, room):
        for piece in _cut(group, room):
            yield from _verified(text, piece, count, budget)


def _units(text: str, section: SectionSpan, count: Count, base: int, room: int) -> Iterator[_Unit]:
    spans, stems = sentences.split(text, section.body_start, section.end)
    before = None
    for span, stem in zip(spans, stems, strict=True):
        opens = before is None or "\n" in text[before[1] : span[0]]
        kind = sentences.line_kind(_line(text, span[0])) if opens else ""
        strength = _strength(text, span, kind, before) if opens else _SENTENCE
        tokens = max(1, count(text[span[0] : span[1]]) - base)
        prose = not kind and stem is None
        if tokens <= room:
            yield _Unit(span, stem, tokens, strength, prose)
        else:
            for index, piece in enumerate(_hard_cut(text, span, count, base, room)):
                cost = max(1, count(text[piece[0] : piece[1]]) - base)
                yield _Unit(piece, stem, cost, _FORCED if index else strength, False)
        before = span


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]


def _strength(text: str, span: SpanT, kind: str, before: SpanT | None) -> int:
    if before is not None and text[before[1] - 1] == ":":
        return _BAD  # between a lead and what it announces
    if kind == "clause" or text.startswith("§", span[0]) or text[span[0] : span[0] + 9].lower() == "parágrafo":
        return _CLAUSE
    if not kind:
        return _PARAGRAPH
    return _ITEM if kind in ("inciso", "number") else _SUBITEM


def _hard_cut(text: str, span: SpanT, count: Count, base: int, room: int) -> Iterator[SpanT]:
    """Pieces of a sentence that no window holds: at spaces, and inside a word only when the word alone is too long."""
    start, end = span
    step = max(8, int((end - start) * room / max(1, count(text[start:end]) - base)))
    while start < end:
        stop = min(end, start + step)
        if stop < end:
            space = max(text.rfind(" ", start + 1, stop), text.rfind("; ", start + 1, stop) + 1)
            stop = space if space > start + step // 2 else stop
        while count(text[start:stop]) - base > room and stop - start > 1:
            stop = start + max(1, (stop - start) * 3 // 4)
        first, last = start, stop
        while first < last and text[first].isspace():
            first += 1
        while last > first and text[last - 1].isspace():
            last -= 1
        if first < last:
            yield first, last
        start = stop


def _groups(
    text: str, section: SectionSpan, kind: Kind, units: list[_Unit], room: int
) -> Iterator[list[_Unit]]:
    """Runs of units that never share a passage: articles, questions with their answers, items of minutes."""
    starts = {index for index in _openings(text, section, kind, units) if index}
    group: list[_Unit] = []
    for index, unit in enumerate(units):
        if index in starts and group:
            lead = index == len(group) and text[group[-1].span[1] - 1] == ":" and sum(u.tokens for u in group) <= _LEAD
            if not lead or sum(u.tokens for u in group) + unit.tokens > room:
                yield group
                group = []
        group.append(unit)
    if group:
        yield group


def _openings(text: str, section: SectionSpan, kind: Kind, units: list[_Unit]) -> Iterator[int]:
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
        yield from marked
    else:
        yield from (index for index, line in lines if ARTICLE.match(line))


def _opens_line(text: str, unit: _Unit) -> bool:
    position = unit.span[0]
    while position and text[position - 1] in " \t":
        position -= 1
    return position == 0 or text[position - 1] == "\n"


def _cut(group: list[_Unit], room: int) -> Iterator[list[_Unit]]:
    """One piece where it fits; else pieces that end at the strongest breaks, each with a short overlap where prose is cut."""
    pieces = list(_pieces(group, room))
    position = 0
    for index, piece in enumerate(pieces):
        carried = _overlap(group[:position], piece, room) if index else []
        yield carried + piece
        position += len(piece)


def _pieces(units: list[_Unit], room: int) -> Iterator[list[_Unit]]:
    """Split at the strongest breaks inside; what fits is packed with its neighbours, what doesn't is split further."""
    if sum(unit.tokens for unit in units) <= room or len(units) == 1:
        yield units
        return
    level = max(unit.strength for unit in units[1:])
    segments: list[list[_Unit]] = []
    for index, unit in enumerate(units):
        if index == 0 or unit.strength == level:
            segments.append([])
        segments[-1].append(unit)
    reserve = min(_OVERLAP, room // 8) if level <= _PARAGRAPH else 0
    run: list[list[_Unit]] = []
    for segment in segments:
        if sum(unit.tokens for unit in segment) <= room - reserve:
            run.append(segment)
            continue
        yield from _packed(run, room - reserve)
        run = []
        yield from _pieces(segment, room)
    yield from _packed(run, room - reserve)


def _packed(segments: list[list[_Unit]], room: int) -> Iterator[list[_Unit]]:
    """Neighbouring segments together, in pieces of like size of which each fits."""
    sizes = [sum(unit.tokens for unit in segment) for segment in segments]
    left = sum(sizes)
    piece: list[_Unit] = []
    held = 0
    goal = left / max(1, -(-left // room))
    for segment, size in zip(segments, sizes, strict=True):
        if piece and (held + size > room or held + size / 2 > goal):
            yield piece
            left -= held
            goal = left / max(1, -(-left // room))
            piece, held = [], 0
        piece = piece + segment
        held += size
    if piece:
        yield piece


def _overlap(before: list[_Unit], piece: list[_Unit], room: int) -> list[_Unit]:
    """The sentence or two before `piece` that it repeats: prose only, and only where prose is cut."""
    if not piece[0].prose or piece[0].strength > _PARAGRAPH:
        return []
    space = min(_OVERLAP, room - sum(unit.tokens for unit in piece))
    carried: list[_Unit] = []
    for unit in reversed(before[-2:]):
        if not unit.prose or unit.tokens > space:
            break
        carried.insert(0, unit)
        space -= unit.tokens
    return carried


def _verified(text: str, units: list[_Unit], count: Count, budget: int) -> Iterator[list[_Unit]]:
    """The piece, halved where the tokens of the whole turn out more than the sum of its sentences'."""
    if len(units) > 1 and count(text[units[0].span[0] : units[-1].span[1]]) > budget:
        middle = len(units) // 2
        yield from _verified(text, units[:middle], count, budget)
        yield from _verified(text, units[middle:], count, budget)
    else:
        yield units
