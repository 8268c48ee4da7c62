"""Previews of publications as the rest of the portal asks for them; `chat.impact` works them out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents import jobs
from documents.models import Revision
from documents.reader import reader_of
from documents.rules.lifecycle import AHEAD
from governance.errors import Forbidden, NotFound, WrongState
from governance.models import Preview
from governance.permissions import may
from governance.rules.moves import Duty

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

JOB = "preview"
LIVE = (Preview.State.WAITING, Preview.State.RUNNING, Preview.State.DONE)


STATUS_WORDS = {
    "answered": gettext_lazy("answered"),
    "not_found": gettext_lazy("not found"),
    "needs_date": gettext_lazy("asks for a date"),
    "conflict": gettext_lazy("conflict"),
    "blocked": gettext_lazy("blocked"),
    "unavailable": gettext_lazy("unavailable"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """A text that an answer shows as a source: `code` of the document and `label` of the revision."""

    code: str
    label: str

    def __str__(self) -> str:
        return f"{self.code}@{self.label}"


@dataclass(frozen=True, slots=True)
class Difference:
    """One recorded question whose answer would differ. The question is the record's: without personal data.

    `hidden` counts the sources on either side that the person who looks may not know of.
    """

    question: str
    on: date
    status_before: str
    status_after: str
    before: tuple[Source, ...]
    after: tuple[Source, ...]
    hidden: int = 0

    @property
    def status_before_words(self) -> StrOrPromise:
        return STATUS_WORDS[self.status_before]

    @property
    def status_after_words(self) -> StrOrPromise:
        return STATUS_WORDS[self.status_after]


def current(revision: Revision, start: date) -> Preview | None:
    """The preview of this very text from that day on, whatever it has come to."""
    found: Preview | None = (
        Preview.objects.filter(revision=revision, content_hash=revision.content_hash, start=start)
        .order_by("-pk")
        .first()
    )
    return found


def ask_for(revision_id: int, start: date, *, actor: AbstractBaseUser, again: bool = False) -> Preview:
    """Have the preview worked out in the background, or give the one that is there. `again` sets a finished one aside.

    Raises `NotFound`, `Forbidden` for who is not in charge, `WrongState` for a text that is published already.
    """
    with transaction.atomic():
        revision = _in_charge(revision_id, actor)
        if revision.state not in AHEAD:
            raise WrongState(_("This revision is published already: there is nothing to preview."))
        live = Preview.objects.select_for_update().filter(
            revision=revision, content_hash=revision.content_hash, start=start, state__in=LIVE
        )
        held: Preview | None = live.first()
        if held is not None and not (again and held.state == Preview.State.DONE):
            return held
        if held is not None:
            held.delete()
        preview = Preview.objects.create(revision=revision, content_hash=revision.content_hash, start=start)
        jobs.schedule(JOB, preview.pk)
    return preview


def cancel(preview_id: int, *, actor: AbstractBaseUser) -> Preview:
    """Stop one that waits or runs; what it had found is dropped. One that is finished stays."""
    with transaction.atomic():
        preview = Preview.objects.select_for_update().filter(pk=preview_id).first()
        if preview is None:
            raise NotFound(_("There is no such preview."))
        _in_charge(preview.revision_id, actor)
        if preview.open:
            preview.state, preview.changes = Preview.State.CANCELLED, []
            preview.save(update_fields=["state", "changes", "updated_at"])
    return preview


def differences(preview: Preview, known: Collection[str]) -> list[Difference]:
    """What was found so far, as somebody who may know of the documents `known` (codes) is shown it."""
    found = []
    for change in preview.changes:
        sides = [[Source(code, label) for code, label in change[side]] for side in ("before", "after")]
        before, after = ([source for source in side if source.code in known] for side in sides)
        hidden = {str(s) for side in sides for s in side} - {str(s) for s in (*before, *after)}
        found.append(
            Difference(
                question=change["question"],
                on=date.fromisoformat(change["on"]),
                status_before=change["status_before"],
                status_after=change["status_after"],
                before=tuple(before),
                after=tuple(after),
                hidden=len(hidden),
            )
        )
    return found


def codes_of(preview: Preview) -> set[str]:
    """The codes of every document that its differences name."""
    return {code for change in preview.changes for side in ("before", "after") for code, _label in change[side]}


def _in_charge(revision_id: int, actor: AbstractBaseUser) -> Revision:
    revision: Revision | None = (
        Revision.objects.select_related("document__area").defer("text", "pages").filter(pk=revision_id).first()
    )
    if revision is None:
        raise NotFound(_("There is no such revision."))
    if not may(reader_of(actor), revision.document, Duty.MANAGE):
        raise Forbidden(_("Only the document's owner or an approver of its area may change this."))
    return revision
