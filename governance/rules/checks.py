"""What to look at before a text goes further: each point with how serious it is. It hinders nobody by itself.

A move has its own conditions (`governance/actions`); these points are what a careful person would ask besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from documents.rules.audience import WIDE
from documents.rules.types import Classification, Window
from governance.rules.succession import Held, overlap


class Level(StrEnum):
    GOOD = "good"
    WARNING = "warning"
    ERROR = "error"


class Point(StrEnum):
    """What a check found, as a code; the words belong to the page."""

    OWNED = "owned"
    NO_OWNER = "no_owner"
    OWNER_GONE = "owner_gone"
    NO_APPROVER = "no_approver"
    READERS = "readers"
    NO_READERS = "no_readers"
    READERS_TOO_WIDE = "readers_too_wide"
    UNKNOWN_UNITS = "unknown_units"
    NO_TEXT = "no_text"
    EXTRACTION = "extraction"
    WINDOW_FREE = "window_free"
    NO_START = "no_start"
    OVERLAP = "overlap"
    PLANNED_OVERLAP = "planned_overlap"
    ENDS_WITHOUT_SUCCESSOR = "ends_without_successor"
    GAP_BEFORE = "gap_before"
    RIVALS = "rivals"
    NO_RIVALS = "no_rivals"


@dataclass(frozen=True, slots=True)
class Case:
    """One revision and what surrounds it.

    `approvers` counts people who could decide on it, its author aside. `published` holds the windows of the other
    published and retired revisions, `planned` those of drafts and texts under review. `rivals` are codes of documents
    of the same authority that govern one of its subjects in its scope, with no rule that says which prevails.
    """

    owner: bool
    owner_active: bool
    approvers: int
    readers: tuple[str, ...]
    classification: Classification
    unknown_units: tuple[str, ...]
    has_text: bool
    warnings: int
    window: Window
    published: tuple[Held, ...]
    planned: tuple[Held, ...]
    rivals: tuple[str, ...]
    ahead: bool
    """Whether the text still has to be published: a window that was closed by a successor is no trouble."""


@dataclass(frozen=True, slots=True)
class Check:
    level: Level
    point: Point
    names: tuple[str, ...] = ()
    day: date | None = None


def checks(case: Case) -> tuple[Check, ...]:
    found = [_owner(case), _readers(case)]
    if case.ahead and not case.approvers:
        found.append(Check(Level.ERROR, Point.NO_APPROVER))
    if case.unknown_units:
        found.append(Check(Level.ERROR, Point.UNKNOWN_UNITS, case.unknown_units))
    if not case.has_text:
        found.append(Check(Level.ERROR, Point.NO_TEXT))
    if case.warnings:
        found.append(Check(Level.WARNING, Point.EXTRACTION, (str(case.warnings),)))
    if case.ahead:
        found += _window(case)
    if case.rivals:
        found.append(Check(Level.WARNING, Point.RIVALS, case.rivals))
    else:
        found.append(Check(Level.GOOD, Point.NO_RIVALS))
    return tuple(found)


def _owner(case: Case) -> Check:
    if not case.owner:
        return Check(Level.ERROR, Point.NO_OWNER)
    return Check(Level.GOOD, Point.OWNED) if case.owner_active else Check(Level.WARNING, Point.OWNER_GONE)


def _readers(case: Case) -> Check:
    if not case.readers:
        return Check(Level.WARNING, Point.NO_READERS)
    wide = tuple(reader for reader in case.readers if reader.startswith(WIDE))
    if case.classification is Classification.RESTRICTED and wide:
        return Check(Level.WARNING, Point.READERS_TOO_WIDE, wide)
    return Check(Level.GOOD, Point.READERS, case.readers)


def _window(case: Case) -> list[Check]:
    window = case.window
    if window.start is None:
        return [Check(Level.WARNING, Point.NO_START)]
    found = []
    later = [held for held in case.published if held.window.start is not None and held.window.start >= window.start]
    taken = overlap(window, later)
    if taken is not None:
        found.append(Check(Level.ERROR, Point.OVERLAP, (taken.label,), taken.window.start))
    planned = tuple(held.label for held in case.planned if overlap(window, [held]))
    if planned:
        found.append(Check(Level.WARNING, Point.PLANNED_OVERLAP, planned))
    gap = _gap_before(window.start, case.published)
    if gap is not None:
        found.append(Check(Level.WARNING, Point.GAP_BEFORE, day=gap))
    # The one in force before it is closed on its first day: it does not come back when this one ends.
    if window.until is not None and not any(_follows(held, window.until) for held in (*later, *case.planned)):
        found.append(Check(Level.WARNING, Point.ENDS_WITHOUT_SUCCESSOR, day=window.until))
    return found or [Check(Level.GOOD, Point.WINDOW_FREE)]


def _follows(held: Held, until: date) -> bool:
    return not held.window.empty and held.window.contains(until)


def _gap_before(start: date, published: tuple[Held, ...]) -> date | None:
    """The day since which nothing will have been in force when the text begins; None where there is no such gap."""
    ends = [held.window.until for held in published if held.window.start is None or held.window.start < start]
    if not ends or any(until is None or until >= start for until in ends):
        return None
    return max(until for until in ends if until is not None)
