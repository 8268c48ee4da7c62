"""For a WSGI server; streaming answers need kbportal.asgi."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")

application = get_wsgi_application()
