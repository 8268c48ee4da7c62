"""Doing a job, once, by one at a time. What fails by its own fault again and again is parked for a person."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from documents.errors import TryLater, no_room
from documents.models import Job

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work:
    """Who does a kind of work, a function of the job's argument, and in which queue it waits."""

    handler: str
    queue: Job.Queue = Job.Queue.INTERACTIVE


HANDLERS = {
    "converge": Work("documents.search.converge.converge_one"),
    "check_index": Work("documents.search.repair.watch", Job.Queue.BULK),
    "maintenance": Work("documents.maintenance.tidy", Job.Queue.BULK),
}
JOB_LOCK = 0x6B62_0004
"""With a job's id: held by whoever is at it, and freed by the database when that process dies."""
ENDED = (Job.State.DONE, Job.State.PARKED, Job.State.DISCARDED)
MOST_FAULTS = 5
"""Failures by its own fault, or deaths of its worker, after which work is parked."""
NOT_ITS_FAULT = (TryLater, OperationalError, InterfaceError)
"""A part is down: the work waits for it, for as long as it takes."""
REPORT_EVERY = timedelta(seconds=1)
WORKER_DIED = "the worker that was at it stopped before it had ended"

_running: ContextVar[Job | None] = ContextVar("running", default=None)


class TooMuchMemory(Exception):
    """A job asked for more than a worker may hold."""


def run(job_id: int) -> None:
    """Do a job once. Quietly nothing when the row is gone, has ended, or somebody is at it.

    A failure is kept in words and raised.
    """
    with _alone(job_id) as mine:
        job = _begin(job_id) if mine else None
        if job is None:
            return
        token = _running.set(job)
        try:
            import_string(HANDLERS[job.kind].handler)(job.argument)
        except Exception as error:
            _failed(job, error)
            if isinstance(error, MemoryError):  # which Celery would take for the whole worker's end
                raise TooMuchMemory(str(job)) from None
            raise
        finally:
            _running.reset(token)
        job.state, job.error, job.finished_at = Job.State.DONE, "", timezone.now()
        job.save(update_fields=["state", "error", "updated_at", "finished_at"])


def report(done: int, total: int) -> None:
    """How far the running job is; outside of one, nothing. Written at most once a second, and at the end."""
    job = _running.get()
    if job is not None and (done == total or timezone.now() - job.updated_at > REPORT_EVERY):
        job.progress, job.total = done, total
        job.save(update_fields=["progress", "total", "updated_at"])


def _begin(job_id: int) -> Job | None:
    """The job, running; None where there is nothing to do. Work that has used up its attempts is parked instead.

    A fault is counted before the work begins and taken back if it was none: a worker that dies can't count it.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update(skip_locked=True).filter(pk=job_id).exclude(state__in=ENDED).first()
        if job is None:
            return None
        if job.state == Job.State.RUNNING:
            job.error = WORKER_DIED
        if job.faults >= MOST_FAULTS:
            _park(job)
            return None
        job.state, job.attempts, job.faults = Job.State.RUNNING, job.attempts + 1, job.faults + 1
        job.save(update_fields=["state", "attempts", "faults", "error", "updated_at"])
        return job


def _failed(job: Job, error: Exception) -> None:
    job.state, job.error = Job.State.FAILED, _in_words(error)
    if isinstance(error, NOT_ITS_FAULT) or no_room(error):
        job.faults -= 1
    if job.faults >= MOST_FAULTS:
        _park(job)
    else:
        job.save(update_fields=["state", "faults", "error", "updated_at"])


def _park(job: Job) -> None:
    job.state, job.finished_at = Job.State.PARKED, timezone.now()
    job.save(update_fields=["state", "faults", "error", "updated_at", "finished_at"])
    logger.error("job %s (%s) is parked after %s attempts: %s", job.pk, job, job.attempts, job.error)


def _in_words(error: Exception) -> str:
    if isinstance(error, SoftTimeLimitExceeded):
        return f"it took longer than the {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds that work may take"
    if isinstance(error, MemoryError):
        return "it needed more memory than a worker may use (KB_WORKER_MEMORY_MB)"
    return f"{type(error).__name__}: {error}"


@contextmanager
def _alone(job_id: int) -> Iterator[bool]:
    """Whether nobody else is at this job; then it is ours until the block ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [JOB_LOCK, job_id % 2**31])
        mine = bool(cursor.fetchone()[0])
    try:
        yield mine
    finally:
        if mine:
            _release(job_id)


def _release(job_id: int) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [JOB_LOCK, job_id % 2**31])
    except (OperationalError, InterfaceError):
        logger.warning("the database went away during job %s; its lock went with the connection", job_id)


def held_now() -> set[int]:
    """Ids (modulo 2^31) of the jobs that some process is at."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [JOB_LOCK],
        )
        return {int(row[0]) for row in cursor.fetchall()}
