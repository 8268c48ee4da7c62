"""Background work: a row first, the broker after commit. A row that no worker took is offered again."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from documents.models import Job

logger = logging.getLogger(__name__)

HANDLERS = {
    "converge": "documents.search.converge.converge_one",
}
OFFER_AFTER = timedelta(seconds=60)
"""How long a row waits before it is offered again; twice as long after each attempt that failed."""
OFFER_AT_LEAST = timedelta(hours=1)
"""However often it failed, it is offered this often."""
GIVEN_UP_AFTER = timedelta(minutes=15)
"""A row that runs for longer than any task may was left by a worker that died."""
KEPT_FOR = timedelta(days=7)
OFFERED_AT_ONCE = 500

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


def settle(ids: Sequence[int]) -> None:
    """Say of jobs whose work was done in bulk that it is done."""
    Job.objects.filter(pk__in=ids).update(state=Job.State.DONE, error="", updated_at=timezone.now())


def dispatch(job_id: int) -> None:
    """Hand a job to the worker, or run it here where `KB_JOBS` says so.

    The change that asked for it is made: neither a broker that is down nor a job that fails here reaches the caller,
    and the row is offered again later.
    """
    from documents.tasks import run_job

    try:
        if settings.KB_JOBS == "inline":
            run(job_id)
        else:
            run_job.delay(job_id)
    except run_job.OperationalError as error:
        logger.warning("the broker is down, job %s waits for the next round: %s", job_id, error)
    except Exception:
        logger.exception("job %s failed and waits for the next round", job_id)


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
    """Offer again what waits, failed or was left half-way for too long; how many. Nothing is ever given up."""
    now = timezone.now()
    rows = Job.objects.exclude(state=Job.State.DONE).filter(updated_at__lt=now - OFFER_AFTER).order_by("updated_at")
    ids = [job.pk for job in rows[: 10 * OFFERED_AT_ONCE] if _is_due(job, now)][:OFFERED_AT_ONCE]
    Job.objects.filter(pk__in=ids).update(updated_at=now)
    for job_id in ids:
        dispatch(job_id)
    return len(ids)


def prune() -> int:
    """Forget what was done long ago; how many."""
    old = Job.objects.filter(state=Job.State.DONE, updated_at__lt=timezone.now() - KEPT_FOR)
    return old.delete()[0]


def _is_due(job: Job, now: datetime) -> bool:
    if job.state == Job.State.RUNNING:
        return job.updated_at < now - GIVEN_UP_AFTER
    return job.updated_at < now - min(OFFER_AFTER * 2 ** min(job.attempts, 10), OFFER_AT_LEAST)
