"""The frame of every move: lock, check the state, check the person, change, audit, schedule."""

from __future__ import annotations

from collections.abc import Iterator
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
from governance.actions._converge import converge_revision
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
class Move:
    """A revision under the lock of its document, in a state that fits, with a person who may."""

    revision: Revision
    document: Document
    actor: AbstractBaseUser
    reason: str
    today: date


@contextmanager
def moving(
    action: Action, revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None
) -> Iterator[Move]:
    """Hold the move open while the caller changes what is its own; then state, audit and index follow."""
    reason = required(reason)
    if on is not None and action not in DATED:
        raise DateNotUsed(_("This action takes no date: leave it out."))
    with transaction.atomic():
        revision = locked(revision_id)
        transition = TRANSITIONS[action]
        if State(revision.state) not in transition.sources:
            raise WrongState(wrong_state(revision, action))
        check(reader_of(actor), subject_of(revision.document, revision), action)
        before = facts(revision)
        yield Move(revision, revision.document, actor, reason, clock.today())
        revision.state = transition.target
        revision.save(update_fields=MOVED_FIELDS)
        target = audit.revision_target(revision)
        audit.record(VERBS[action], actor=actor, target=target, before=before, after=facts(revision), reason=reason)
        converge_revision(revision, MEASURED.get(action))
        revision.refresh_from_db(fields=["in_force"])


def required(reason: str) -> str:
    if not reason.strip():
        raise ReasonRequired(_("Give a reason: it stays in the audit trail."))
    return reason.strip()


def lock(document_id: int) -> Document:
    """The document's row, locked until the transaction ends: the only lock that a change of it takes."""
    found = _lock(pk=document_id)
    if found is None:
        raise NotFound(_("There is no such document."))
    return found


def locked(revision_id: int) -> Revision:
    """The revision as it stands once its document is locked."""
    document = _lock(revisions=revision_id)
    revision = Revision.objects.filter(pk=revision_id).first()
    if document is None or revision is None:
        raise NotFound(_("There is no such revision."))
    revision.document = document
    return revision


def entry(rows: QuerySet[Row], pk: int) -> Row:
    """One of `rows`, locked until the transaction ends. Raises `NotFound`."""
    found = rows.select_for_update(of=("self",)).filter(pk=pk).first()
    if found is None:
        raise NotFound(_("There is no such entry."))
    return found


def _lock(**which: int) -> Document | None:
    rows = Document.objects.select_for_update(of=("self",), no_key=True).select_related("area")
    found: Document | None = rows.filter(**which).order_by().first()
    return found


def others_of(revision: Revision) -> list[Held]:
    """The windows that the other published and retired revisions of the document hold, oldest first."""
    rows = Revision.objects.filter(document_id=revision.document_id, state__in=ONCE_PUBLISHED)
    rows = rows.exclude(pk=revision.pk).filter(in_force__isempty=False).order_by("in_force")
    return [Held(pk, label, window_of(held)) for pk, label, held in rows.values_list("pk", "label", "in_force")]


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
