"""Intervals and tests for shares: how far a count over some hundred questions can be trusted."""

from __future__ import annotations

import math

Z95 = 1.959963984540054


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score; (0, 1) when nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, Z95**2
    centre = (share + square / (2 * total)) / (1 + square / total)
    half = Z95 / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    # Rounding may put a bound a hair inside the share itself.
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def paired_interval(only_a: int, only_b: int, total: int) -> tuple[float, float]:
    """The 95 % interval of the difference of two shares over the same `total` questions (Agresti and Min).

    `only_a` and `only_b` are the questions on which just one of the two was right; the difference is a's share minus
    b's. (-1, 1) when nothing was counted.
    """
    if total == 0:
        return -1.0, 1.0
    a, b, n = only_a + 0.5, only_b + 0.5, total + 2
    difference = (a - b) / n
    half = Z95 * math.sqrt(max(0.0, (a + b) - (a - b) ** 2 / n)) / n
    return max(-1.0, difference - half), min(1.0, difference + half)


def mcnemar(only_a: int, only_b: int) -> float:
    """The two-sided exact probability of so uneven a split, were the two equally good; 1 when they never differ."""
    differ = only_a + only_b
    if differ == 0:
        return 1.0
    tail = sum(math.comb(differ, k) for k in range(min(only_a, only_b) + 1)) / 2**differ
    return min(1.0, 2 * tail)
