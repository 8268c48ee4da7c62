"""Every change of state, one function each. The doors (admin, API, commands, import) call these and nothing else."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from django.contrib.auth.base_user import AbstractBaseUser

from documents.models import Revision
from documents.rules.lifecycle import Action
from governance.actions._transition import DATED
from governance.actions.publication import publish, restore, retire
from governance.actions.review import approve, reject, submit


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

__all__ = ["DATED", "MOVES", "MoveFunction", "approve", "publish", "reject", "restore", "retire", "submit"]
