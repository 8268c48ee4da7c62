"""The Celery application: `celery -A kbportal worker`."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")

app = Celery("kbportal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
