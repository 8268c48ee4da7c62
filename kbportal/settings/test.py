"""For the suite: no Valkey, jobs in the process that asks for them, cheap passwords, deterministic parts."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

from kbportal.settings.base import *  # noqa: F403
from kbportal.settings.parts import backends

_FILES = Path(tempfile.mkdtemp(prefix="kbportal-tests-"))
atexit.register(shutil.rmtree, _FILES, ignore_errors=True)

MEDIA_ROOT = _FILES / "files"
KB_INDEX_PATH = _FILES / "index"
SECRET_KEY = "tests-only"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_BROKER_URL = "memory://"
AXES_ENABLED = False
KB_JOBS = "inline"
KB_BACKENDS = backends() | {
    "embedder": {"BACKEND": "documents.embedders.hashing.Embedder", "OPTIONS": {"dimensions": 384}},
}
WHITENOISE_AUTOREFRESH = True  # no scan of static files at every client
KB_LOOPBACK = True
KB_CHECK_INDEX_AT_START = False  # importing the application asks no database
