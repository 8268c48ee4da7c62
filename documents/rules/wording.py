"""What changed between two wordings of one line, word by word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import LCSseq

_TOKEN = re.compile(r"\d+(?:[.,/:]\d+)*%?|\w+|\s+|[^\w\s]")
_WORD = re.compile(r"\w")
TOO_MUCH = 200_000_000
"""Cells of the comparison's matrix, a bit each: beyond, two texts are shown one after the other."""
_ALIKE = 0.3  # below this share of common words, two wordings are two sentences
_SCRAP = 3  # letters of a lone word between two changes that says nothing by itself ("de", "o", "até")


Bag = Counter[str]


class Op(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    op: Op
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """`old[a:b]` became `new[c:d]`; `same` when they are equal."""

    same: bool
    a: int
    b: int
    c: int
    d: int


def words(old: str, new: str) -> tuple[Piece, ...]:
    """The pieces of both wordings in reading order. Without the removed they spell `new`, without the added `old`."""
    if old == new:
        return (Piece(Op.SAME, new),) if new else ()
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if likeness(bag(before), bag(after)) < _ALIKE:
        return _whole(old, new)
    merged = _without_scraps(runs(before, after), before)
    pieces: list[Piece] = []
    for run in merged:
        removed, added = "".join(before[run.a : run.b]), "".join(after[run.c : run.d])
        pieces += [Piece(Op.SAME, added)] if run.same else _whole(removed, added)
    return tuple(pieces)


def bag(tokens: Sequence[str]) -> Bag:
    """The words among the tokens, without case, each with how often it comes."""
    return Counter(token.lower() for token in tokens if _WORD.match(token))


def likeness(before: Bag, after: Bag) -> float:
    """Dice's coefficient of two bags of words, 0 to 1; two without a word are alike."""
    total = before.total() + after.total()
    return 2 * (before & after).total() / total if total else 1.0


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def runs(before: Sequence[Hashable], after: Sequence[Hashable]) -> list[Run]:
    """A longest common subsequence as alternating equal and changed runs that cover both sequences."""
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    a, b, c, d = head, len(before) - tail, head, len(after) - tail
    found = [Run(True, 0, head, 0, head)] if head else []
    if (b - a) * (d - c) > TOO_MUCH or a == b or c == d:
        found += [Run(False, a, b, c, d)] if b > a or d > c else []
    else:
        found += _middle(before[a:b], after[c:d], head)
    return [*found, Run(True, b, len(before), d, len(after))] if tail else found


def _common(before: Sequence[Hashable], after: Sequence[Hashable]) -> int:
    length = 0
    for left, right in zip(before, after, strict=False):
        if left != right:
            break
        length += 1
    return length


def _middle(before: Sequence[Hashable], after: Sequence[Hashable], offset: int) -> Iterator[Run]:
    numbers: dict[Hashable, int] = {}  # rapidfuzz compares hashes; a number of one's own can't collide
    left, right = ([numbers.setdefault(token, len(numbers)) for token in side] for side in (before, after))
    a = c = 0
    for block in LCSseq.opcodes(left, right).as_matching_blocks():
        if block.a > a or block.b > c:
            yield Run(False, offset + a, offset + block.a, offset + c, offset + block.b)
        a, c = block.a + block.size, block.b + block.size
        if block.size:
            yield Run(True, offset + block.a, offset + a, offset + block.b, offset + c)


def _without_scraps(found: list[Run], before: Sequence[str]) -> list[Run]:
    """Equal runs too small to mean anything between two changes become part of the change."""
    kept: list[Run] = []
    for place, run in enumerate(found):
        between = 0 < place < len(found) - 1
        if kept and not kept[-1].same and (not run.same or (between and _is_scrap(before[run.a : run.b]))):
            kept[-1] = Run(False, kept[-1].a, run.b, kept[-1].c, run.d)
        else:
            kept.append(run)
    return kept


def _is_scrap(tokens: Sequence[str]) -> bool:
    said = [token for token in tokens if _WORD.match(token)]
    return not said or (len(said) == 1 and len(said[0]) <= _SCRAP and said[0].isalpha())


def _whole(old: str, new: str) -> tuple[Piece, ...]:
    return tuple(Piece(op, text) for op, text in ((Op.REMOVED, old), (Op.ADDED, new)) if text)
