"""The frame of every move: lock, check the state, check the person, change, audit, schedule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from documents import clock
from documents.models import Document, Propagation, Revision
from documents.reader import reader_of
from documents.rules.lifecycle import ONCE_PUBLISHED, TRANSITIONS, Action
from documents.rules.types import State, Window
from governance import audit
from governance.actions._converge import converge_revisions
from governance.actions._rows import locked_all, store
from governance.errors import DateNotUsed, NotFound, ReasonRequired, WrongState
from governance.models import Verb
from governance.permissions import check, subject_of
from governance.rules.succession import Held

VERBS = {
    Action.SUBMIT: Verb.REVISION_SUBMITTED,
    Action.APPROVE: Verb.REVISION_APPROVED,
    Action.REJECT: Verb.REVISION_REJECTED,
    Action.PUBLISH: Verb.REVISION_PUBLISHED,
    Action.RETIRE: Verb.REVISION_RETIRED,
    Action.RESTORE: Verb.REVISION_RESTORED,
}
MEASURED = {
    Action.PUBLISH: Propagation.Action.PUBLISH,
    Action.RETIRE: Propagation.Action.RETIRE,
    Action.RESTORE: Propagation.Action.RESTORE,
}
DATED = frozenset({Action.PUBLISH, Action.RETIRE})
MOVED_FIELDS = [
    "state", "validity", "retired_on", "approved_by", "approved_hash", "approved_at", "approved_certainty",
]  # fmt: skip

Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Asked:
    """A move of one revision, as somebody asks for it. `on` is for actions that take a day."""

    revision_id: int
    actor: AbstractBaseUser
    reason: str
    on: date | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A revision under the lock of its document, in a state that fits, with a person who may."""

    revision: Revision
    document: Document
    actor: AbstractBaseUser
    reason: str
    today: date
    on: date | None = None


@contextmanager
def moving(
    action: Action, revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None
) -> Iterator[Move]:
    """Hold the move open while the caller changes what is its own; then state, audit and index follow."""
    with moving_all(action, [Asked(revision_id, actor, reason, on)]) as moves:
        yield moves[0]


@contextmanager
def moving_all(action: Action, asked: Sequence[Asked]) -> Iterator[list[Move]]:
    """The same for revisions of different documents, in this order: all of them move, or none does."""
    reasons = [required(one.reason) for one in asked]
    if action not in DATED and any(one.on is not None for one in asked):
        raise DateNotUsed(_("This action takes no date: leave it out."))
    with transaction.atomic(), audit.together():
        rows = locked_all([one.revision_id for one in asked], with_text=action is Action.SUBMIT)
        transition = TRANSITIONS[action]
        for one, revision in zip(asked, rows, strict=True):
            if State(revision.state) not in transition.sources:
                raise WrongState(wrong_state(revision, action))
            check(reader_of(one.actor), subject_of(revision.document, revision), action)
        before = [facts(revision) for revision in rows]
        today = clock.today()
        yield [
            Move(revision, revision.document, one.actor, reason, today, one.on)
            for one, revision, reason in zip(asked, rows, reasons, strict=True)
        ]
        for revision in rows:
            revision.state = transition.target
        store(rows, MOVED_FIELDS)
        for one, revision, reason, old in zip(asked, rows, reasons, before, strict=True):
            target = audit.revision_target(revision)
            audit.record(
                VERBS[action], actor=one.actor, target=target, before=old, after=facts(revision), reason=reason
            )
        converge_revisions(rows, MEASURED.get(action))
        in_force = dict(Revision.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", "in_force"))
        for revision in rows:
            revision.in_force = in_force[revision.pk]


def required(reason: str) -> str:
    if not reason.strip():
        raise ReasonRequired(_("Give a reason: it stays in the audit trail."))
    return reason.strip()


def entry(rows: QuerySet[Row], pk: int) -> Row:
    """One of `rows`, locked until the transaction ends. Raises `NotFound`."""
    found = rows.select_for_update(of=("self",)).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("There is no such entry."))
    return found


def others_of(revision: Revision) -> list[Held]:
    """The windows that the other published and retired revisions of the document hold, oldest first."""
    return others_of_all([revision])[revision.pk]


def others_of_all(revisions: Sequence[Revision]) -> dict[int, list[Held]]:
    """The same of revisions of different documents, by their ids."""
    of = {revision.document_id: revision.pk for revision in revisions}
    rows = Revision.objects.filter(document__in=of, state__in=ONCE_PUBLISHED, in_force__isempty=False)
    rows = rows.exclude(pk__in=of.values()).order_by("in_force")
    others: dict[int, list[Held]] = {pk: [] for pk in of.values()}
    for pk, document, label, held in rows.values_list("pk", "document_id", "label", "in_force"):
        others[of[document]].append(Held(pk, label, window_of(held)))
    return others


def window_of(validity: object) -> Window:
    return Window(getattr(validity, "lower", None), getattr(validity, "upper", None))


def facts(revision: Revision) -> dict[str, audit.Value]:
    """What a move can change, for the audit trail: people as keys, days as ISO dates."""
    window = window_of(revision.validity)
    return {
        "state": str(revision.state),
        "valid_from": _iso(window.start),
        "valid_until": _iso(window.until),
        "retired_on": _iso(revision.retired_on),
        "approved_by": audit.key_of(revision.approved_by_id),
        "approved_hash": revision.approved_hash,
        "content_hash": revision.content_hash,
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day is not None else None


def wrong_state(revision: Revision, action: Action) -> str:
    """Which state the revision is in, and which the action needs."""
    states = dict(Revision.State.choices)
    fitting = [str(states[state]) for state in Revision.State.values if state in TRANSITIONS[action].sources]
    return _("%(revision)s is in the state “%(state)s”; this action needs “%(needed)s”.") % {
        "revision": revision,
        "state": revision.get_state_display(),
        "needed": _("” or “").join(fitting),
    }
