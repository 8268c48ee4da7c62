"""What the publication of one revision does to the windows of the others of its document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from documents.rules.types import Window


@dataclass(frozen=True, slots=True)
class Held:
    """A window that a published or retired revision holds."""

    id: int
    label: str
    window: Window


@dataclass(frozen=True, slots=True)
class Succession:
    """`closes` ends on the first day of the new revision; `obstacle` stands in its way. At most one is set."""

    closes: Held | None = None
    obstacle: Held | None = None


def succeed(start: date, until: date | None, others: Iterable[Held]) -> Succession:
    """The window `[start, until)` is published. The one in force on `start` is closed that day.

    A revision that begins on `start` or later is an obstacle, unless the new window ends, explicitly, before it
    begins. No window is ever lengthened or opened, so a gap exists only where somebody gave an end.
    """
    closes = None
    for other in others:
        if other.window.empty:
            continue
        if other.window.start is not None and other.window.start >= start:
            if until is None or until > other.window.start:
                return Succession(obstacle=other)
        elif other.window.until is None or other.window.until > start:
            closes = other
    return Succession(closes=closes)


def overlap(window: Window, others: Iterable[Held]) -> Held | None:
    """The first of `others` that shares a day with `window`."""
    return next((other for other in others if _share_a_day(window, other.window)), None)


def _share_a_day(a: Window, b: Window) -> bool:
    if a.empty or b.empty:
        return False
    return (a.until is None or b.start is None or b.start < a.until) and (
        b.until is None or a.start is None or a.start < b.until
    )
