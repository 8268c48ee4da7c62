"""Submit, approve, reject: the way of a draft to an approval by a second person."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.models import Certainty, Revision
from documents.rules.lifecycle import Action
from documents.rules.types import State
from governance.actions._transition import moving
from governance.errors import ApprovalOutdated, ReviewOpen, TextRequired


def submit(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """Draft → in review; from here on the text is immutable. Raises `ReviewOpen` while another one is in review."""
    with moving(Action.SUBMIT, revision_id, actor=actor, reason=reason, on=on) as move:
        submittable(move.revision)
    return move.revision


def submittable(revision: Revision) -> None:
    """Nothing when the draft can go into review. Raises `TextRequired`, `ReviewOpen`."""
    if not revision.text.strip():
        raise TextRequired(_("This draft has no readable text. Replace the file by one with text."))
    rows = Revision.objects.select_related("document").defer("text", "pages")
    waiting = rows.filter(document_id=revision.document_id, state=State.IN_REVIEW).first()
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
        revision = move.revision
        if seen_hash is not None and seen_hash != revision.content_hash:
            raise ApprovalOutdated(_("The text changed after you opened it. Read it again and decide then."))
        revision.approved_by_id = actor.pk
        revision.approved_hash = revision.content_hash
        revision.approved_at = timezone.now()
        revision.approved_certainty = Certainty.EXACT
    return move.revision


def reject(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """In review, or approved and not yet published → draft. The approval, if any, is gone."""
    with moving(Action.REJECT, revision_id, actor=actor, reason=reason, on=on) as move:
        revision = move.revision
        revision.approved_by = None
        revision.approved_hash = ""
        revision.approved_at = None
        revision.approved_certainty = Certainty.UNKNOWN
    return move.revision
