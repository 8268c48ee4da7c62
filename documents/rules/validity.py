"""Windows of validity. "In force" is derived from dates and never stored as a state."""

from __future__ import annotations

from datetime import date

from documents.rules.types import Window


def in_force(validity: Window, retired_on: date | None) -> Window:
    """The days on which a published text counts: its validity, cut at the day on which it was retired.

    A text retired on or before its first day was never in force: the window is empty, `until == start`. Its twin is
    the generated column `Revision.in_force`.
    """
    if retired_on is None:
        return validity
    until = retired_on if validity.until is None else min(validity.until, retired_on)
    if validity.start is not None:
        until = max(until, validity.start)
    return Window(validity.start, until)
