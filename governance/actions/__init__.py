"""Every change of state, one function each. The doors (admin, API, commands, import) call these and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Protocol

from django.contrib.auth.base_user import AbstractBaseUser

from documents.models import Revision
from documents.rules.lifecycle import Action
from governance.actions._transition import DATED, Asked
from governance.actions.publication import publish, publish_all, restore, retire, retire_all
from governance.actions.review import approve, approve_all, reject, submit, submit_all


class MoveFunction(Protocol):
    def __call__(
        self, revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None
    ) -> Revision: ...


MOVES: dict[Action, MoveFunction] = {
    Action.SUBMIT: submit,
    Action.APPROVE: approve,
    Action.REJECT: reject,
    Action.PUBLISH: publish,
    Action.RETIRE: retire,
    Action.RESTORE: restore,
}

MOVES_OF_MANY: dict[Action, Callable[[Sequence[Asked]], list[Revision]]] = {
    Action.SUBMIT: submit_all,
    Action.APPROVE: approve_all,
    Action.PUBLISH: publish_all,
    Action.RETIRE: retire_all,
}
"""Moves of revisions of different documents in one step: all of them, or none."""

__all__ = [
    "DATED",
    "MOVES",
    "MOVES_OF_MANY",
    "Asked",
    "MoveFunction",
    "approve",
    "publish",
    "reject",
    "restore",
    "retire",
    "submit",
]
