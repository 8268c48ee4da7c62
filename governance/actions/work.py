"""Parked background work: a person with the role indexer retries it or discards it, and says why."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from documents import jobs
from documents.models import Job
from documents.reader import reader_of
from documents.rules.types import Role
from governance import audit
from governance.actions._transition import required
from governance.errors import Forbidden, NotFound, WrongState
from governance.models import Verb


def retry(job_id: int, *, actor: AbstractBaseUser, reason: str) -> Job:
    """Parked → waiting, with all of its attempts before it. Raises `NotFound`, `WrongState`, `Forbidden`."""
    return _decide(job_id, Verb.JOB_RETRIED, Job.State.WAITING, actor=actor, reason=reason)


def discard(job_id: int, *, actor: AbstractBaseUser, reason: str) -> Job:
    """Parked → discarded: nobody does it. Raises `NotFound`, `WrongState`, `Forbidden`."""
    return _decide(job_id, Verb.JOB_DISCARDED, Job.State.DISCARDED, actor=actor, reason=reason)


def _decide(job_id: int, verb: Verb, state: Job.State, *, actor: AbstractBaseUser, reason: str) -> Job:
    reason = required(reason)
    person = reader_of(actor)
    if not person.active or Role.INDEXER not in person.roles:
        raise Forbidden(_("Only people with the role indexer decide about parked work."))
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=job_id).first()
        if job is None:
            raise NotFound(_("There is no such job."))
        if job.state != Job.State.PARKED:
            raise WrongState(_("This job is not parked."))
        before: dict[str, audit.Value] = {"state": str(job.state), "attempts": job.attempts, "error": job.error}
        job.state, job.faults = state, 0
        job.finished_at = timezone.now() if state == Job.State.DISCARDED else None
        job.save(update_fields=["state", "faults", "finished_at", "updated_at"])
        audit.record(
            verb,
            actor=actor,
            target=f"job:{job.pk} {job}",
            before=before,
            after={"state": str(job.state)},
            reason=reason,
        )
        if state == Job.State.WAITING:
            transaction.on_commit(lambda: jobs.dispatch(job))
    return job
