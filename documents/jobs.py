"""Background work: a row first, the broker after commit. A row that no worker took is offered again.

What people wait for and what is done in bulk have queues of their own. Work that fails by its own fault again and
again, or takes its worker with it, is parked: a person looks at it and retries or discards it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from documents import alarms
from documents.models import Alarm, Job
from documents.working import ENDED, HANDLERS, held_now, run

logger = logging.getLogger(__name__)


OFFER_AFTER = timedelta(seconds=60)
"""How long a row waits before it is offered again; twice as long after each attempt that failed."""
OFFER_AT_LEAST = timedelta(hours=1)
"""However often it failed, it is offered this often."""
KEPT_FOR = timedelta(days=7)
OFFERED_AT_ONCE = 500
_gathered: ContextVar[list[int] | None] = ContextVar("gathered", default=None)


def schedule(kind: str, argument: int | None = None) -> Job:
    """Ask for work, inside the transaction that makes it necessary; it starts after the commit."""
    return schedule_all(kind, [argument])[0]


def schedule_all(kind: str, arguments: Iterable[int | None]) -> list[Job]:
    """Ask for work on each argument, as `schedule` does."""
    if kind not in HANDLERS:
        raise ValueError(f"no handler for a job of kind {kind!r}")
    gathered = _gathered.get()
    queue = HANDLERS[kind].queue if gathered is None else Job.Queue.BULK
    jobs = Job.objects.bulk_create([Job(kind=kind, argument=argument, queue=queue) for argument in arguments])
    if gathered is not None:
        gathered.extend(job.pk for job in jobs)
    else:
        for job in jobs:
            transaction.on_commit(partial(dispatch, job))
    return jobs


def schedule_once(kind: str) -> None:
    """Ask for work that the clock asks for: not while the last one has not ended."""
    if not Job.objects.filter(kind=kind).exclude(state__in=ENDED).exists():
        schedule(kind)


@contextmanager
def gathering() -> Iterator[list[int]]:
    """Hold back the jobs scheduled inside: the caller does their work in bulk and calls `settle` with the ids.

    If the caller dies, the rows are still waiting and the bulk queue gets them as stale.
    """
    ids: list[int] = []
    token = _gathered.set(ids)
    try:
        yield ids
    finally:
        _gathered.reset(token)


def in_bulk() -> bool:
    """Whether somebody gathers: what is asked for now is part of a bulk load."""
    return _gathered.get() is not None


def settle(ids: Sequence[int]) -> None:
    """Say of jobs whose work was done in bulk that it is done."""
    now = timezone.now()
    Job.objects.filter(pk__in=ids).update(state=Job.State.DONE, error="", updated_at=now, finished_at=now)


def dispatch(job: Job) -> None:
    """Hand a job to the worker, or run it here where `KB_JOBS` says so.

    The change that asked for it is made: neither a broker that is down nor a job that fails here reaches the caller,
    and the row is offered again later.
    """
    from documents.tasks import run_job

    try:
        if settings.KB_JOBS == "inline":
            run(job.pk)
        else:
            run_job.apply_async((job.pk,), queue=job.queue)
    except run_job.OperationalError as error:
        logger.warning("the broker is down, job %s waits for the next round: %s", job.pk, error)
    except Exception:
        logger.exception("job %s failed and waits for the next round", job.pk)


def offer_stale() -> int:
    """Offer again what waits, failed or lost its worker; how many. Parked work is left to people."""
    now = timezone.now()
    old = Q(updated_at__lt=now - OFFER_AFTER) | Q(updated_at__gt=now + OFFER_AFTER)
    rows = Job.objects.exclude(state__in=ENDED).filter(old).order_by("updated_at")
    held = held_now()
    due = [job for job in rows[: 10 * OFFERED_AT_ONCE] if _is_due(job, now, held)][:OFFERED_AT_ONCE]
    Job.objects.filter(pk__in=[job.pk for job in due]).update(updated_at=now)
    for job in due:
        dispatch(job)
    return len(due)


def waiting() -> int:
    """Work that has not ended and is not parked."""
    return Job.objects.exclude(state__in=ENDED).count()


def prune() -> int:
    """Forget what was done or discarded long ago; how many."""
    ended = Job.objects.filter(state__in=[Job.State.DONE, Job.State.DISCARDED])
    return ended.filter(updated_at__lt=timezone.now() - KEPT_FOR).delete()[0]


def watch() -> int:
    """Raise the alarm over parked work, or clear it; how much there is."""
    kinds = list(Job.objects.filter(state=Job.State.PARKED).order_by("kind").values_list("kind", flat=True))
    alarms.report(Alarm.Kind.PARKED, ", ".join(dict.fromkeys(kinds)), len(kinds))
    return len(kinds)


def _is_due(job: Job, now: datetime, held: set[int]) -> bool:
    if job.state == Job.State.RUNNING:
        return job.pk % 2**31 not in held
    if job.updated_at > now:  # by a clock that is ahead of this one: when it would be stale can't be told
        return True
    return job.updated_at < now - min(OFFER_AFTER * 2 ** min(job.attempts, 10), OFFER_AT_LEAST)
