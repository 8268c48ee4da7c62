"""What uvicorn serves."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")
os.environ.setdefault("KB_DB_POOL", "8")  # before settings are read: requests run in threads and share connections

from django.core.asgi import get_asgi_application

portal = get_asgi_application()  # sets Django up, which what follows needs

from kbportal.mcp import Mounted  # noqa: E402

application = Mounted(portal)
