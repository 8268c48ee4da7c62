"""Milliseconds of something done again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds over `n` runs. `cpu` is the mean processor time of one, where it was measured: on a busy machine it
    says what the clock does not."""

    n: int
    p50: float
    p95: float
    most: float
    cpu: float | None = None


def times(spent: Sequence[float]) -> Times:
    """The quantiles of a list of milliseconds, by nearest rank. Raises ValueError for an empty list."""
    if not spent:
        raise ValueError("nothing was measured")
    ordered = sorted(spent)
    return Times(len(ordered), _nearest(ordered, 0.5), _nearest(ordered, 0.95), ordered[-1])


def timed(items: Sequence[Item], work: Callable[[Item], object], warm_up: int, cpu: Callable[[], float]) -> Times:
    """`work` on each item, in order; the first `warm_up` fill what is filled once and are not counted.

    `cpu` gives the seconds of processor time used so far.
    """
    spent, used = [], 0.0
    for number, item in enumerate(items):
        if number == warm_up:
            used = cpu()
        began = perf_counter()
        work(item)
        if number >= warm_up:
            spent.append((perf_counter() - began) * 1000)
    return replace(times(spent), cpu=(cpu() - used) * 1000 / len(spent))


def _nearest(ordered: Sequence[float], share: float) -> float:
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]
