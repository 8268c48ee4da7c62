"""How a revision stands on a day, in the one word that a page puts above it."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.types import State, Window


class Standing(StrEnum):
    CURRENT = "current"
    FUTURE = "future"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    RETIRED = "retired"
    DRAFT = "draft"


def standing(state: State, validity: Window | None, in_force: Window | None, *, superseded: bool, on: date) -> Standing:
    """`validity` is the window that was meant, `in_force` what retirement left of it (None: no day at all).

    `superseded`: whether a later text of the document has taken over by `on`. A text that is approved and waits for its
    day is FUTURE; anything else that is not published is a DRAFT, whatever its dates say.
    """
    if state not in ONCE_PUBLISHED:
        waits = state is State.APPROVED and validity and validity.start and on < validity.start
        return Standing.FUTURE if waits else Standing.DRAFT
    if in_force and in_force.contains(on):
        return Standing.CURRENT
    if in_force and in_force.start and on < in_force.start:
        return Standing.FUTURE
    if state is State.RETIRED:
        return Standing.RETIRED
    return Standing.SUPERSEDED if superseded else Standing.EXPIRED
