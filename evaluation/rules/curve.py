"""The curve of a calibration as lines of text: what each threshold would refuse, rightly and wrongly."""

from __future__ import annotations

from chat.rules.abstain import Fit, Point

EVERY = 0.05
WIDTH = 50
"""Characters of the plot's axis, from 0 to 1."""


def lines(fitted: Fit) -> list[str]:
    """A row for every twentieth and for both thresholds: rates, and ● right refusals, ○ wrong ones on one axis."""
    thresholds = fitted.thresholds
    marks = {thresholds.strict: "strict", thresholds.lenient: "lenient"}
    shown = sorted({_nearest(fitted, wanted) for wanted in _steps()} | {_nearest(fitted, mark) for mark in marks})
    out = [f"{'threshold':>9} {'right':>6} {'wrong':>6} {'precision':>9}  ● right refusal  ○ wrong refusal"]
    for place in shown:
        point = fitted.curve[place]
        named = [name for mark, name in marks.items() if _nearest(fitted, mark) == place]
        out.append(
            f"{point.threshold:9.3f} {point.right_refusal:6.3f} {point.wrong_refusal:6.3f} {point.precision:9.3f}"
            f"  |{_plot(point)}| {', '.join(named)}".rstrip()
        )
    return out


def _steps() -> list[float]:
    return [round(step * EVERY, 2) for step in range(round(1 / EVERY) + 1)]


def _nearest(fitted: Fit, wanted: float) -> int:
    return min(range(len(fitted.curve)), key=lambda place: abs(fitted.curve[place].threshold - wanted))


def _plot(point: Point) -> str:
    axis = [" "] * (WIDTH + 1)
    axis[round(point.right_refusal * WIDTH)] = "●"
    axis[round(point.wrong_refusal * WIDTH)] = "○"
    return "".join(axis)
