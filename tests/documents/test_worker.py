"""A real worker on a real broker: work that kills it or asks for too much is parked, and the rest goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from documents.models import Job
from documents.tasks import run_job
from documents.working import MOST_FAULTS, WORKER_DIED
from kbportal.embedded.paths import ROOT
from tests.documents.broker import broker_at
from tests.instance import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PATIENCE = 180
START = """
import django; django.setup()
from tests.documents import lethal
from kbportal.celery import app
app.worker_main(["worker", "--queues", "interactive", "--concurrency", "1", "--loglevel", "WARNING"])
"""


@pytest.fixture
def broker(valkey_url: str) -> Iterator[str]:
    with broker_at(valkey_url):
        yield valkey_url


@pytest.fixture
def worker(broker: str, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    at = connection.settings_dict
    options = f"host={at['HOST']}&port={at['PORT']}" if str(at["HOST"]).startswith("/") else ""
    host = "" if options else f"{at['HOST']}:{at['PORT']}"
    secret = f":{at['PASSWORD']}" if at["PASSWORD"] else ""
    env = os.environ | {
        "DATABASE_URL": f"postgresql://{at['USER']}{secret}@{host}/{at['NAME']}?{options}",
        "CELERY_BROKER_URL": broker,
        "DJANGO_SETTINGS_MODULE": "kbportal.settings.dev",
        "KB_VAR": str(tmp_path),
        "KB_WORKER_MEMORY_MB": "1024",
    }
    process = subprocess.Popen([sys.executable, "-c", START], cwd=ROOT, env=env)
    yield process
    process.terminate()
    process.wait(30)


def asked(kind: str, queue: str = "interactive") -> Job:
    job = Job.objects.create(kind=kind, queue=queue)
    run_job.apply_async((job.pk,), queue=queue)
    return job


def becomes(job: Job, state: str) -> Callable[[], bool]:
    def there() -> bool:
        job.refresh_from_db()
        return job.state == state

    return there


def test_work_that_kills_its_worker_is_parked_and_the_rest_goes_on(worker: subprocess.Popen[bytes]) -> None:
    lethal_job, hungry, bulk = asked("die"), asked("devour"), asked("work", "bulk")
    eventually(becomes(lethal_job, "parked"), PATIENCE)
    assert (lethal_job.attempts, lethal_job.faults, lethal_job.error) == (MOST_FAULTS, MOST_FAULTS, WORKER_DIED)
    after = asked("work")
    eventually(becomes(after, "done"), PATIENCE)
    eventually(becomes(hungry, "failed"), PATIENCE)
    assert "KB_WORKER_MEMORY_MB" in hungry.error
    bulk.refresh_from_db()
    assert bulk.state == "waiting", "another queue's work waits for that queue's workers"
    assert worker.poll() is None
