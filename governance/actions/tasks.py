"""Tasks for owners: opened by whoever met the trouble, closed by who answers for the text."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from documents.models import Document
from documents.reader import reader_of
from governance import audit
from governance.actions._transition import required
from governance.errors import Invalid, NotFound, WrongState
from governance.models import OwnerTask, Verb
from governance.permissions import tasks_of


def open_task(
    kind: OwnerTask.Kind,
    documents: Sequence[Document],
    *,
    actor: AbstractBaseUser,
    reason: str | Promise,
    evidence: str = "",
    note: str = "",
    owner: AbstractBaseUser | None = None,
) -> OwnerTask:
    """A task about no, one or two documents. A pair has one open task of a kind: asked again, that one is returned.

    Without an `owner` it goes to the owner of the first document; the other's owner sees it too. A lazy `reason` is
    kept in the portal's own language: who reads it may not read that of the one who asked.
    """
    with translation.override(settings.LANGUAGE_CODE):
        reason = required(str(reason))
    if len(documents) > 2 or (kind == OwnerTask.Kind.CONFLICT and len(documents) != 2):
        raise Invalid(_("A conflict is between two documents."))
    pair = sorted(documents, key=lambda document: document.pk)
    first, other = (*pair, None, None)[:2]
    same = OwnerTask.objects.filter(kind=kind, document=first, other=other, state=OwnerTask.State.OPEN)
    if other is not None and (task := same.first()) is not None:
        return task
    owner_id = owner.pk if owner is not None else documents[0].owner_id if documents else None
    try:
        with transaction.atomic():
            task = OwnerTask.objects.create(
                kind=kind, document=first, other=other, owner_id=owner_id, evidence=evidence, note=note
            )
            after: dict[str, audit.Value] = {
                "kind": str(kind),
                "documents": [document.code for document in pair],
                "owner": audit.key_of(owner_id),
                "evidence": evidence,
            }
            audit.record(Verb.TASK_OPENED, actor=actor, target=f"task:{task.pk}", before={}, after=after, reason=reason)
    except IntegrityError:
        # Somebody opened the same one in this instant.
        return same.get()
    return task


def close_task(task_id: int, *, actor: AbstractBaseUser, reason: str) -> OwnerTask:
    """Open → done. Raises `NotFound` for tasks that are not this person's, `WrongState` when it is done already."""
    reason = required(reason)
    with transaction.atomic():
        task = OwnerTask.objects.select_for_update().filter(pk__in=tasks_of(reader_of(actor)), pk=task_id).first()
        if task is None:
            raise NotFound(_("There is no such task."))
        if task.state != OwnerTask.State.OPEN:
            raise WrongState(_("This task is done already."))
        task.state, task.done_at = OwnerTask.State.DONE, timezone.now()
        task.save(update_fields=["state", "done_at"])
        audit.record(
            Verb.TASK_DONE,
            actor=actor,
            target=f"task:{task.pk}",
            before={"state": "open"},
            after={"state": "done"},
            reason=reason,
        )
    return task
