"""Background work: a row first, the broker after commit. A row that no worker took is offered again."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from documents.models import Job

logger = logging.getLogger(__name__)

HANDLERS = {
    "converge": "documents.search.converge.converge_one",
}
STALE_AFTER = timedelta(seconds=60)
MAX_ATTEMPTS = 5

_gathered: ContextVar[list[int] | None] = ContextVar("gathered", default=None)


def schedule(kind: str, argument: int | None = None) -> Job:
    """Ask for work, inside the transaction that makes it necessary; it starts after the commit."""
    if kind not in HANDLERS:
        raise ValueError(f"no handler for a job of kind {kind!r}")
    job = Job.objects.create(kind=kind, argument=argument)
    gathered = _gathered.get()
    if gathered is not None:
        gathered.append(job.pk)
    else:
        transaction.on_commit(lambda: dispatch(job.pk))
    return job


@contextmanager
def gathering() -> Iterator[list[int]]:
    """Hold back the jobs scheduled inside: the caller does their work in bulk and calls `settle` with the ids.

    If the caller dies, the rows are still waiting and the worker picks them up as stale.
    """
    ids: list[int] = []
    token = _gathered.set(ids)
    try:
        yield ids
    finally:
        _gathered.reset(token)


def settle(ids: list[int]) -> None:
    Job.objects.filter(pk__in=ids).update(state=Job.State.DONE, updated_at=timezone.now())


def dispatch(job_id: int) -> None:
    """Hand a job to the worker, or run it here where `KB_JOBS` says so. A broker that is down loses nothing."""
    if settings.KB_JOBS == "inline":
        run(job_id)
        return
    from documents.tasks import run_job

    try:
        run_job.delay(job_id)
    except run_job.OperationalError as error:
        logger.warning("the broker is down, job %s waits for the next round: %s", job_id, error)


def run(job_id: int) -> None:
    """Do a job once. Quietly nothing when the row is gone or done; a failure is kept in words and raised."""
    with transaction.atomic():
        job = Job.objects.select_for_update(skip_locked=True).filter(pk=job_id).exclude(state=Job.State.DONE).first()
        if job is None:
            return
        job.state, job.attempts = Job.State.RUNNING, job.attempts + 1
        job.save(update_fields=["state", "attempts", "updated_at"])
    try:
        import_string(HANDLERS[job.kind])(job.argument)
    except Exception as error:
        job.state, job.error = Job.State.FAILED, f"{type(error).__name__}: {error}"
        job.save(update_fields=["state", "error", "updated_at"])
        raise
    job.state, job.error = Job.State.DONE, ""
    job.save(update_fields=["state", "error", "updated_at"])


def offer_stale() -> int:
    """Offer again what waits, failed or stopped half-way for longer than `STALE_AFTER`; how many."""
    stale = (
        Job.objects.exclude(state=Job.State.DONE)
        .filter(updated_at__lt=timezone.now() - STALE_AFTER, attempts__lt=MAX_ATTEMPTS)
        .values_list("pk", flat=True)
    )
    ids = list(stale[:500])
    Job.objects.filter(pk__in=ids).update(updated_at=timezone.now())
    for job_id in ids:
        dispatch(job_id)
    return len(ids)
