"""The parts that settings choose, by kind. Apps ask here and never name an implementation."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from django.conf import settings
from django.core.signals import setting_changed
from django.utils.module_loading import import_string

Kind = Literal["embedder", "engine", "generator", "rewriter", "reranker"]


@cache
def get_backend(kind: Kind) -> Any:
    """One instance a process, made at first use. Constructors are cheap: weights and connections come later.

    The caller names the Protocol it expects. Raises KeyError for an unknown kind, ImportError for a path that
    leads nowhere; `manage.py check` reports both before a request does.
    """
    part = settings.KB_BACKENDS[kind]
    return import_string(part["BACKEND"])(**part.get("OPTIONS", {}))


def _forget(*, setting: str, **_kwargs: object) -> None:
    """Tests change the setting; the next caller gets the new part."""
    if setting == "KB_BACKENDS":
        get_backend.cache_clear()


setting_changed.connect(_forget, dispatch_uid="kbportal.backends")
