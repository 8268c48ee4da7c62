"""Which moves a person can take on a revision now, and why not the others: asked of the moves' own checks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from documents.errors import DomainError
from documents.models import Revision
from documents.rules.lifecycle import TRANSITIONS, Action
from documents.rules.types import Reader, State
from governance.actions._transition import wrong_state
from governance.actions.publication import publishable, restorable
from governance.actions.review import submittable
from governance.errors import WrongState
from governance.permissions import check, subject_of


@dataclass(frozen=True, slots=True)
class Offer:
    """One move. `refusal` is a sentence that says why it is not possible now; empty when it is."""

    action: Action
    refusal: str

    @property
    def possible(self) -> bool:
        return not self.refusal


def offers(revision: Revision, person: Reader, today: date) -> tuple[Offer, ...]:
    """Every move of the life of a revision, in its order. Nothing is locked: the move itself checks again."""
    return tuple(Offer(action, _refusal(action, revision, person, today)) for action in Action)


def _refusal(action: Action, revision: Revision, person: Reader, today: date) -> str:
    try:
        if State(revision.state) not in TRANSITIONS[action].sources:
            raise WrongState(wrong_state(revision, action))
        check(person, subject_of(revision.document, revision), action)
        if action is Action.SUBMIT:
            submittable(revision)
        elif action is Action.PUBLISH:
            publishable(revision)
        elif action is Action.RESTORE:
            restorable(revision, today)
    except DomainError as error:
        return str(error.message)
    return ""
