"""The Celery application: `celery -A kbportal worker -Q interactive`, the same with `-Q bulk`, and one `beat`."""

from __future__ import annotations

import os
import resource
import signal

from celery import Celery
from celery.signals import beat_embedded_init, worker_process_init
from django.conf import settings

from kbportal.embedded.launch import stop_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")

app = Celery("kbportal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def limit_memory(**_kwargs: object) -> None:
    """A task that asks for more than a worker may have gets a MemoryError, instead of the machine running out."""
    most = settings.KB_WORKER_MEMORY_MB * 1024 * 1024
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


@beat_embedded_init.connect
def end_with_worker(**_kwargs: object) -> None:
    """The clock inside of a worker that was killed would tick on for ever, beside the one of the next."""
    stop_with_parent(os.getppid(), signal.SIGKILL)
