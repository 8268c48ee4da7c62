"""Reciprocal rank fusion: several ranked lists to one, without comparing their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SMOOTHING = 60
"""The constant of the original paper: how little a first place outweighs a second."""


@dataclass(frozen=True, slots=True)
class Fused:
    """One id with its fused score and its rank (from 1) on each list, None where it is missing."""

    id: int
    score: float
    ranks: tuple[int | None, ...]


def fuse(lists: Sequence[Sequence[int]]) -> list[Fused]:
    """Ids of all lists, best first, ties by id. An id that a list repeats counts at its first place."""
    places: list[dict[int, int]] = []
    for ranked in lists:
        place: dict[int, int] = {}
        for rank, item in enumerate(ranked, 1):
            place.setdefault(item, rank)
        places.append(place)
    fused = []
    for item in {item for place in places for item in place}:
        ranks = tuple(place.get(item) for place in places)
        fused.append(Fused(item, sum(1 / (SMOOTHING + rank) for rank in ranks if rank is not None), ranks))
    return sorted(fused, key=lambda one: (-one.score, one.id))
