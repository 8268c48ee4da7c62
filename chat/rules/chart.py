"""Charts as geometry: values that a template writes out as SVG. Lengths are texts, so that no locale alters them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 1000, 240
GAP = 0.2
"""The share of a column's place that is left free."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle in a box of `WIDTH` by `HEIGHT`; `series` counts from 0, `told` is what it stands for."""

    x: str
    y: str
    width: str
    height: str
    series: int
    told: str


@dataclass(frozen=True, slots=True)
class Columns:
    """Stacked columns, one for each label. `ticks` are the values at the top, the middle and the foot of the box."""

    bars: Sequence[Bar]
    ticks: tuple[float, float, float]
    first: str
    middle: str
    last: str
    width: int = WIDTH
    height: int = HEIGHT


def columns(labels: Sequence[str], series: Sequence[tuple[str, Sequence[float]]]) -> Columns | None:
    """One column a label, in which the series stand on each other in the order given; None when all of it is nothing.

    Each series is a name and one value, 0 or more, for each label.
    """
    totals = [sum(values) for values in zip(*(values for _name, values in series), strict=True)]
    if not totals or max(totals) <= 0:
        return None
    top = nice(max(totals))
    place = WIDTH / len(labels)
    bars: list[Bar] = []
    for at, label in enumerate(labels):
        under = 0.0
        for number, (name, values) in enumerate(series):
            if values[at] > 0:
                under += values[at]
                bars.append(
                    Bar(
                        _text(at * place + place * GAP / 2),
                        _text(HEIGHT * (1 - under / top)),
                        _text(place * (1 - GAP)),
                        _text(HEIGHT * values[at] / top),
                        number,
                        f"{label}: {name} {values[at]:g}",
                    )
                )
    return Columns(bars, (top, top / 2, 0.0), labels[0], labels[len(labels) // 2], labels[-1])


def shares(values: Sequence[float | None]) -> list[str | None]:
    """The length of one bar a row, of 100 for the largest; None where there is no value."""
    most = max((value for value in values if value is not None), default=0.0)
    return [None if value is None else _text(100 * value / most if most > 0 else 0.0) for value in values]


def nice(value: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, … (and fractions of them) that is not below `value`, which is above 0."""
    power: float = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value * (1 - 1e-9))


def percentile(values: Sequence[float], share: float) -> float | None:
    """The value below which `share` (0 to 1) of the values lie, interpolated; None of no values."""
    if not values:
        return None
    held = sorted(values)
    place = share * (len(held) - 1)
    low = math.floor(place)
    high = min(low + 1, len(held) - 1)
    return held[low] + (held[high] - held[low]) * (place - low)


def _text(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
