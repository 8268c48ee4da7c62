"""What uvicorn serves."""

from __future__ import annotations

import os
from typing import cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kbportal.settings.dev")
os.environ.setdefault("KB_DB_POOL", "8")  # before settings are read: requests run in threads and share connections

from django.core.asgi import get_asgi_application

portal = get_asgi_application()  # sets Django up, which what follows needs

from django.conf import settings  # noqa: E402
from starlette.types import ASGIApp  # noqa: E402

from kbportal import collector  # noqa: E402
from kbportal.checks import refuse_unreadable_index  # noqa: E402
from kbportal.mcp import Mounted  # noqa: E402

if getattr(settings, "KB_CHECK_INDEX_AT_START", True):
    refuse_unreadable_index()

application = Mounted(cast("ASGIApp", portal))
collector.settle()
