"""Submit, approve, reject: the way of a draft to an approval by a second person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.models import Certainty, Revision
from documents.rules.lifecycle import Action
from documents.rules.types import State
from governance.actions._transition import Asked, Move, moving, moving_all
from governance.errors import ApprovalOutdated, ReviewOpen, TextRequired


def submit(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """Draft → in review; from here on the text is immutable. Raises `ReviewOpen` while another one is in review."""
    return submit_all([Asked(revision_id, actor, reason, on)])[0]


def submit_all(asked: Sequence[Asked]) -> list[Revision]:
    """The same for drafts of different documents: all of them, or none."""
    with moving_all(Action.SUBMIT, asked) as moves:
        submittable(*(move.revision for move in moves))
    return [move.revision for move in moves]


def submittable(*revisions: Revision) -> None:
    """Nothing when the drafts can go into review. Raises `TextRequired`, `ReviewOpen`."""
    if not all(revision.text.strip() for revision in revisions):
        raise TextRequired(_("This draft has no readable text. Replace the file by one with text."))
    rows = Revision.objects.select_related("document").defer("text", "pages")
    documents = {revision.document_id for revision in revisions}
    waiting = rows.filter(document__in=documents, state=State.IN_REVIEW).first()
    if waiting is not None:
        raise ReviewOpen(
            _("%(revision)s is already in review: decide on it before submitting another.") % {"revision": waiting}
        )


def approve(
    revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None, seen_hash: str | None = None
) -> Revision:
    """In review → approved, for the content that is there now.

    `seen_hash` is the content hash that the approver was shown: if it is not the present one, `ApprovalOutdated`.
    """
    with moving(Action.APPROVE, revision_id, actor=actor, reason=reason, on=on) as move:
        if seen_hash is not None and seen_hash != move.revision.content_hash:
            raise ApprovalOutdated(_("The text changed after you opened it. Read it again and decide then."))
        _approved(move, timezone.now())
    return move.revision


def approve_all(asked: Sequence[Asked]) -> list[Revision]:
    """The same for revisions of different documents, each for the content that is there: all of them, or none."""
    with moving_all(Action.APPROVE, asked) as moves:
        now = timezone.now()
        for move in moves:
            _approved(move, now)
    return [move.revision for move in moves]


def _approved(move: Move, at: datetime) -> None:
    revision = move.revision
    revision.approved_by_id = move.actor.pk
    revision.approved_hash = revision.content_hash
    revision.approved_at = at
    revision.approved_certainty = Certainty.EXACT


def reject(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """In review, or approved and not yet published → draft. The approval, if any, is gone."""
    with moving(Action.REJECT, revision_id, actor=actor, reason=reason, on=on) as move:
        revision = move.revision
        revision.approved_by = None
        revision.approved_hash = ""
        revision.approved_at = None
        revision.approved_certainty = Certainty.UNKNOWN
    return move.revision
