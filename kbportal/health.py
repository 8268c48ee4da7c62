"""Liveness (the process answers) and readiness (database, migrations and broker), with the engine beside."""

from __future__ import annotations

from functools import cache

import structlog
from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from kombu.exceptions import OperationalError

from documents.search import active
from documents.search.base import EngineUnavailable, IndexOutdated

log = structlog.get_logger(__name__)
BROKER_TIMEOUT = 2.0


async def live(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> JsonResponse:
    """200 when the portal can serve, else 503; a part's value is a code, its cause goes to the log.

    Without its search engine the portal is `degraded` and still 200: questions get `unavailable`, and all else works.
    """
    database = _database()
    migrations = _migrations() if database == "ok" else "unknown"  # what is down is waited for once
    parts = {"database": database, "migrations": migrations, "broker": _broker()}
    held = all(value == "ok" for value in parts.values())
    parts["engine"] = _engine() if held else "unknown"
    status = "unavailable" if not held else "ok" if parts["engine"] == "ok" else "degraded"
    return JsonResponse({"status": status, "parts": parts}, status=200 if held else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        log.warning("database unreachable", error=str(error))
        return "unreachable"
    return "ok"


@cache
def _migrated() -> bool:
    """Raises LookupError while steps are missing, so that only the good answer is remembered."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise LookupError("migrations are pending")
    return True


def _migrations() -> str:
    try:
        _migrated()
    except LookupError:
        return "pending"
    except DatabaseError:
        return "unknown"
    return "ok"


def _engine() -> str:
    try:
        version = active.answering()
        if version is not None:
            active.engine().size(version.pk)
    except IndexOutdated as error:
        log.warning("index outdated", error=str(error))
        return "outdated"
    except (EngineUnavailable, DatabaseError) as error:
        log.warning("engine unreachable", error=str(error))
        return "unreachable"
    return "ok"


def _broker() -> str:
    if settings.KB_JOBS == "inline":
        return "ok"
    try:
        with current_app.connection_for_write(transport_options={"socket_timeout": BROKER_TIMEOUT}) as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT)
    except (OSError, OperationalError) as error:
        log.warning("broker unreachable", error=str(error))
        return "unreachable"
    return "ok"
