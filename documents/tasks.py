"""The worker's door: tasks carry a row's id, or the kind of work that the clock asks for, and nothing else."""

from __future__ import annotations

from celery import shared_task

from documents import jobs, propagation, working
from documents.search import arrival


@shared_task(acks_late=True, ignore_result=True)
def run_job(job_id: int) -> None:
    working.run(job_id)


@shared_task(ignore_result=True)
def offer_stale_jobs() -> None:
    """Every minute: what no worker took."""
    jobs.offer_stale()


@shared_task(ignore_result=True)
def watch() -> None:
    """Every minute: alarms over changes that are late and work that is parked."""
    arrival.look_again()
    propagation.watch()
    jobs.watch()


@shared_task(ignore_result=True)
def ask_for(kind: str) -> None:
    """By the clock: work that is a job like any other."""
    jobs.schedule_once(kind)
