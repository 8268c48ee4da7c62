"""Where the windows of a document's revisions lie on one line of time, in thousandths of its length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from documents.rules.types import Window

LENGTH = 1000
_LEAST = 12  # a window of a day in a line of ten years can still be seen


@dataclass(frozen=True, slots=True)
class Bar:
    start: int
    width: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """One bar a window, in the order given; None where no day is known. `today` is its place on the line."""

    bars: tuple[Bar | None, ...]
    today: int
    first: date
    last: date


def timeline(windows: Sequence[Window | None], today: date) -> Timeline:
    """The line runs from the first day that any window knows to the last; an open end reaches the edge."""
    known = [window for window in windows if window is not None and not window.empty]
    days = [day for window in known for day in (window.start, window.until) if day is not None]
    first, last = min([*days, today]), max([*days, today])
    length = max((last - first).days, 1)
    ahead = length // 12 + 1 if any(window.until is None for window in known) else 0  # room for what goes on

    def place(day: date) -> int:
        return round((day - first).days * LENGTH / (length + ahead))

    bars = tuple(_bar(window, place) if window is not None and not window.empty else None for window in windows)
    return Timeline(bars, place(today), first, last)


def _bar(window: Window, place: Callable[[date], int]) -> Bar:
    start = place(window.start) if window.start else 0
    end = place(window.until) if window.until else LENGTH
    width = max(end - start, _LEAST)
    return Bar(min(start, LENGTH - width), width)
