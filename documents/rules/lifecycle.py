"""The life of a revision as data: which action leads from which states to which. Nothing else moves a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from documents.rules.types import State

AHEAD = (State.DRAFT, State.IN_REVIEW, State.APPROVED)
"""States of a text that was never published."""
ONCE_PUBLISHED = (State.PUBLISHED, State.RETIRED)
"""States of a text that counts on the days of its window: a retirement only ends it."""


class Action(StrEnum):
    SUBMIT = "submit"
    APPROVE = "approve"
    REJECT = "reject"
    PUBLISH = "publish"
    RETIRE = "retire"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class Transition:
    sources: frozenset[State]
    target: State


def _from(*sources: State, to: State) -> Transition:
    return Transition(frozenset(sources), to)


TRANSITIONS: Mapping[Action, Transition] = MappingProxyType(
    {
        Action.SUBMIT: _from(State.DRAFT, to=State.IN_REVIEW),
        Action.APPROVE: _from(State.IN_REVIEW, to=State.APPROVED),
        # An approval that was not used yet can be taken back; else a mistake found late would stay approved for ever.
        Action.REJECT: _from(State.IN_REVIEW, State.APPROVED, to=State.DRAFT),
        Action.PUBLISH: _from(State.APPROVED, to=State.PUBLISHED),
        Action.RETIRE: _from(State.PUBLISHED, to=State.RETIRED),
        Action.RESTORE: _from(State.RETIRED, to=State.PUBLISHED),
    }
)


def allowed_actions(state: State) -> tuple[Action, ...]:
    """The actions that fit a state, in the order of the life of a revision."""
    return tuple(action for action, transition in TRANSITIONS.items() if state in transition.sources)
