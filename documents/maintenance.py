"""What is swept out every night."""

from __future__ import annotations

from django.core.management import call_command

from documents import jobs, propagation


def tidy(_argument: int | None) -> None:
    """Sessions that have ended, jobs and measurements of long ago."""
    call_command("clearsessions")
    jobs.prune()
    propagation.prune()
