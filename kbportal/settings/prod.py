"""For servers: refuses to start without its secrets and hosts, HTTPS only, static files collected and hashed."""

from __future__ import annotations

from pathlib import Path

from kbportal import env
from kbportal.settings.base import *  # noqa: F403
from kbportal.settings.base import INSTANCE

DEBUG = env.flag("KB_DEBUG", False)
SECRET_KEY = env.required("KB_SECRET_KEY", "production needs its own, at least 50 random characters")
ALLOWED_HOSTS = env.items("KB_ALLOWED_HOSTS") or [
    env.required("KB_ALLOWED_HOSTS", "production needs the names it is reached by, separated by commas")
]
KB_LOOPBACK = False
STATIC_ROOT = Path(env.text("KB_STATIC_ROOT", str(INSTANCE.var / "static")))  # `manage.py collectstatic` fills it

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

SECURE_SSL_REDIRECT = env.flag("KB_SSL_REDIRECT", True)
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]  # probes speak plain HTTP inside
SECURE_HSTS_SECONDS = env.integer("KB_HSTS_SECONDS", 31_536_000)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
if env.flag("KB_BEHIND_PROXY", False):  # only where the proxy sets or strips the header itself
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
