"""`manage.py check`: what would otherwise fail at the first request fails here, with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connection
from django.utils.module_loading import import_string

from documents.search import active
from documents.search.base import EngineUnavailable, IndexOutdated


@register(Tags.compatibility)
def parts_can_be_loaded(app_configs: Sequence[AppConfig] | None, **_kwargs: object) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for kind, part in settings.KB_BACKENDS.items():
        try:
            import_string(part["BACKEND"])
        except ImportError as error:
            hint = f"See KB_{kind.upper()} in docs/setup.md."
            found.append(
                Error(f"The {kind} {part['BACKEND']} cannot be loaded: {error}", hint=hint, id="kbportal.E001")
            )
    return found


@register(Tags.security)
def remote_parts_have_a_key(app_configs: Sequence[AppConfig] | None, **_kwargs: object) -> list[CheckMessage]:
    """A part that speaks to OpenAI itself needs a key; an endpoint of one's own may need none."""
    return [
        Error(
            f"The {kind} `openai` has no OPENAI_API_KEY.",
            hint="Set OPENAI_API_KEY, or OPENAI_BASE_URL for an endpoint that needs none.",
            id="kbportal.E002",
        )
        for kind, part in settings.KB_BACKENDS.items()
        if ".openai." in part["BACKEND"] and not part["OPTIONS"].get("api_key") and not part["OPTIONS"].get("base_url")
    ]


def index_problem() -> str:
    """Why no index can be read under the rules, the engine and the mapping of this code, and what to run; or nothing.

    What is merely down is no problem of this kind: it may be back at the first question.
    """
    try:
        version = active.answering()
    except EngineUnavailable as error:
        return str(error)
    except DatabaseError:
        return ""
    try:
        if version is not None:
            active.engine().size(version.pk)
    except IndexOutdated as error:
        return str(error)
    except EngineUnavailable:
        return ""
    return ""


def refuse_unreadable_index() -> None:
    """Stop the start of a web process that could answer nothing, with one line that says what to run."""

    def ask() -> str:
        try:
            return index_problem()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:  # the server imports its application inside a running event loop
        problem = thread.submit(ask).result()
    if problem:
        raise SystemExit(f"The portal does not start: {problem}")
