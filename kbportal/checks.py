"""`manage.py check`: what would otherwise fail at the first request fails here, with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.utils.module_loading import import_string


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
