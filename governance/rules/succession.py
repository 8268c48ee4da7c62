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


@dataclass(frozen=True, slots=True)
class Reopening:
    """The window that a retired text gets back, or the one that stands in its way. Exactly one is set."""

    window: Window | None = None
    obstacle: Held | None = None


def reopen(window: Window, others: Iterable[Held], today: date) -> Reopening:
    """What is left of `window` for a text whose retirement is taken back.

    A later text ends it, as it would have done had it never been retired. Where nothing would be left from today on,
    that text is the obstacle: a window is one piece, and days on which another text counted stay that text's.
    """
    taken = [other for other in others if _share_a_day(window, other.window)]
    if not taken:
        return Reopening(window)
    first = min(taken, key=lambda other: other.window.start or date.min)
    begins = first.window.start
    if begins is None or (window.start is not None and begins <= window.start) or begins <= today:
        return Reopening(obstacle=first)
    return Reopening(Window(window.start, begins))


def uncovered(day: date, others: Iterable[Held]) -> bool:
    """Whether none of `others` is in force on `day`, the day from which the one in force is withdrawn."""
    return not any(not other.window.empty and other.window.contains(day) for other in others)


def _share_a_day(a: Window, b: Window) -> bool:
    if a.empty or b.empty:
        return False
    return (a.until is None or b.start is None or b.start < a.until) and (
        b.until is None or a.start is None or a.start < b.until
    )
