"""The local default of `make up`: loopback only, embedded services, secrets made at first start."""

from __future__ import annotations

from kbportal import env
from kbportal.settings.base import *  # noqa: F403
from kbportal.settings.base import INSTANCE

DEBUG = env.flag("KB_DEBUG", False)
SECRET_KEY = env.text("KB_SECRET_KEY") or INSTANCE.secret_key()
ALLOWED_HOSTS = env.items("KB_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
WHITENOISE_USE_FINDERS = True  # no collectstatic step on one machine
KB_LOOPBACK = True
