"""How wide a graph of neighbours is walked: the larger it is, the wider, for the same share of the nearest."""

from __future__ import annotations

from math import log2

SMALL = 50_000
"""Up to so many rows one width does."""


def wide(least: int, doubled: int, rows: float) -> int:
    """`least` for a graph of up to `SMALL` rows, and `doubled` more each time that they double."""
    return least + round(doubled * max(0.0, log2(max(rows, 1) / SMALL)))
