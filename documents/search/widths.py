"""How wide a graph of neighbours is walked: the larger it is, the wider, for the same share of the nearest."""

from __future__ import annotations

from math import log2

SMALL, DOUBLED = 50_000, 60
"""Up to so many rows one width does; and how much wider each time that they double."""


def wide(least: int, rows: float) -> int:
    """`least` for a graph of up to `SMALL` rows, and more for a larger one."""
    return least + round(DOUBLED * max(0.0, log2(max(rows, 1) / SMALL)))
