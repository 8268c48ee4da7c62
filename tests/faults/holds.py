"""`python -m tests.faults.holds SECONDS [now]`: what does not hold of an instance once all is quiet, as JSON.

It waits so long for work to end; with `now` it does not wait for the round of the clock that offers work again.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from datetime import timedelta
from io import StringIO

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")
COMMANDS = ("verify_evidence", "verify_audit", "check_index")


def main(patience: float, now: bool) -> list[str]:
    from django.db import OperationalError
    from django.db.models import F

    from documents import jobs
    from documents.models import Job
    from documents.working import ENDED

    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        with suppress(OperationalError):
            if not jobs.waiting():
                break
            if now:  # as if an hour had passed
                open_ones = Job.objects.exclude(state__in=ENDED)
                open_ones.update(updated_at=F("updated_at") - timedelta(hours=3))
                jobs.offer_stale()
        time.sleep(2)
    waiting = [f"not done: {job} {job.state} {job.error}" for job in Job.objects.exclude(state="done")]
    return [*waiting, *(said for command in COMMANDS if (said := broken(command)))]


def broken(command: str) -> str:
    """What a command says that does not end well."""
    from django.core.management import CommandError, call_command

    said = StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            call_command(command)
    except (SystemExit, CommandError) as end:
        return f"{command}: {end} {said.getvalue()[-600:]}"
    return ""


if __name__ == "__main__":
    django.setup()
    print(json.dumps(main(float(sys.argv[1]), "now" in sys.argv[2:])))
