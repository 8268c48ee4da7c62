"""How many questions a person may ask a minute."""

from __future__ import annotations

import math
import time

import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from ninja.throttling import BaseThrottle

from documents.errors import DomainError

log = structlog.get_logger(__name__)
WINDOW = 60
"""Seconds."""


class TooMany(DomainError):
    code = "throttled"
    status = 429
    message = _("Too many requests: wait a moment.")  # type: ignore[assignment]


def counted(person: int) -> bool:
    """Count a question of this person; False when there were too many in this minute."""
    key = f"questions:{person}:{int(time.time() // WINDOW)}"
    try:
        cache.add(key, 0, 2 * WINDOW)
        return cache.incr(key) <= settings.KB_QUESTIONS_A_MINUTE
    except Exception as error:  # any backend, any way of being down: counting is no reason not to answer
        log.warning("questions are not counted", error=str(error))
        return True


class QuestionsAMinute(BaseThrottle):
    """At most `KB_QUESTIONS_A_MINUTE` in each minute of the clock, by person, however they signed in.

    It keeps nothing on itself, because one instance serves every thread.
    """

    def allow_request(self, request: HttpRequest) -> bool:
        return counted(request.auth.pk)  # type: ignore[attr-defined]

    def wait(self) -> float:
        return math.ceil(WINDOW - time.time() % WINDOW)
