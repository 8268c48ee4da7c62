"""Milliseconds of something done again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds over `n` runs."""

    n: int
    p50: float
    p95: float
    most: float


def times(spent: Sequence[float]) -> Times:
    """The quantiles of a list of milliseconds, by nearest rank. Raises ValueError for an empty list."""
    if not spent:
        raise ValueError("nothing was measured")
    ordered = sorted(spent)
    return Times(len(ordered), _nearest(ordered, 0.5), _nearest(ordered, 0.95), ordered[-1])


def timed(items: Sequence[Item], work: Callable[[Item], object], warm_up: int) -> Times:
    """`work` on each item, in order; the first `warm_up` fill what is filled once and are not counted."""
    spent = []
    for number, item in enumerate(items):
        began = perf_counter()
        work(item)
        if number >= warm_up:
            spent.append((perf_counter() - began) * 1000)
    return times(spent)


def _nearest(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]
