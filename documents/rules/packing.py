"""How sentences that belong together are packed into passages that the embedder can read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SpanT = tuple[int, int]

_OVERLAP = 60  # tokens

# How good a place is to cut before a sentence.
CLAUSE, PARAGRAPH, ITEM, SUBITEM, SENTENCE, BAD, FORCED = 6, 5, 4, 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence (or a piece of one too long to fit), what it costs, and how well one may cut before it."""

    span: SpanT
    stem: SpanT | None
    tokens: int
    strength: int
    prose: bool


def cut(group: list[Unit], room: int) -> Iterator[list[Unit]]:
    """One piece where it fits; else pieces that end at the strongest breaks, a short overlap where prose is cut."""
    pieces = list(_pieces(group, room))
    position = 0
    for index, piece in enumerate(pieces):
        carried = _overlap(group[max(0, position - 2) : position], piece, room) if index else []
        yield carried + piece
        position += len(piece)


def _pieces(units: list[Unit], room: int) -> Iterator[list[Unit]]:
    """Split at the strongest breaks inside; what fits is packed with its neighbours, what doesn't is split further."""
    if sum(unit.tokens for unit in units) <= room or len(units) == 1:
        yield units
        return
    level = max(unit.strength for unit in units[1:])
    segments: list[list[Unit]] = []
    for index, unit in enumerate(units):
        if index == 0 or unit.strength == level:
            segments.append([])
        segments[-1].append(unit)
    reserve = min(_OVERLAP, room // 8) if level <= PARAGRAPH else 0
    run: list[list[Unit]] = []
    for segment in segments:
        if sum(unit.tokens for unit in segment) <= room - reserve:
            run.append(segment)
            continue
        yield from _packed(run, room - reserve)
        run = []
        yield from _pieces(segment, room)
    yield from _packed(run, room - reserve)


def _packed(segments: list[list[Unit]], room: int) -> Iterator[list[Unit]]:
    """Neighbouring segments together, in pieces of like size of which each fits."""
    sizes = [sum(unit.tokens for unit in segment) for segment in segments]
    left = sum(sizes)
    piece: list[Unit] = []
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


def _overlap(before: list[Unit], piece: list[Unit], room: int) -> list[Unit]:
    """The sentence or two before `piece` that it repeats: prose only, and only where prose is cut."""
    if not piece[0].prose or piece[0].strength > PARAGRAPH:
        return []
    space = min(_OVERLAP, room - sum(unit.tokens for unit in piece))
    carried: list[Unit] = []
    for unit in reversed(before[-2:]):
        if not unit.prose or unit.tokens > space:
            break
        carried.insert(0, unit)
        space -= unit.tokens
    return carried
