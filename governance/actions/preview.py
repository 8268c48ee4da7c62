"""Previews of publications: asked for and cancelled by those in charge of the document."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext as _

from documents import jobs
from documents.models import Revision
from documents.reader import reader_of
from documents.rules.lifecycle import AHEAD
from governance.errors import NotFound, WrongState
from governance.models import Preview
from governance.permissions import check, subject_of
from governance.preview import JOB
from governance.rules.moves import Duty

LIVE = (Preview.State.WAITING, Preview.State.RUNNING, Preview.State.DONE)


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


def _in_charge(revision_id: int, actor: AbstractBaseUser) -> Revision:
    revision: Revision | None = (
        Revision.objects.select_related("document__area").defer("text", "pages").filter(pk=revision_id).first()
    )
    if revision is None:
        raise NotFound(_("There is no such revision."))
    check(reader_of(actor), subject_of(revision.document), Duty.MANAGE)
    return revision
