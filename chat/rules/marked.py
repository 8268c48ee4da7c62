"""A text cut at the ends of what is to be marked in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    marked: bool


def parts(text: str, spans: Iterable[tuple[int, int]]) -> list[Part]:
    """`text` in pieces, in order, of which those inside any of `spans` are marked; overlapping spans are one."""
    pieces: list[Part] = []
    last = 0
    for start, end in _merged(spans):
        pieces += [Part(text[last:start], False), Part(text[start:end], True)]
        last = end
    pieces.append(Part(text[last:], False))
    return [piece for piece in pieces if piece.text]


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined
