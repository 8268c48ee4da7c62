"""The worker's door: tasks carry a row's id and nothing else."""

from __future__ import annotations

from celery import shared_task

from documents import jobs


@shared_task(acks_late=True, ignore_result=True)
def run_job(job_id: int) -> None:
    jobs.run(job_id)


@shared_task(ignore_result=True)
def offer_stale_jobs() -> None:
    """Every minute: what no worker took, and the rows of long ago."""
    jobs.offer_stale()
    jobs.prune()
