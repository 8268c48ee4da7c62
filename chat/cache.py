"""Caches that can only save time: what they hold depends on nothing but their key, and a lost one is made again."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from time import monotonic

import numpy as np
from django.core.cache import cache

from chat.rules.types import Generation
from documents.embedders.base import Embedder, Vectors

logger = logging.getLogger(__name__)

EMBEDDED = 600
"""Characters of a question that are embedded: more is no question, and costs seconds."""
QUERY_SECONDS = 7 * 24 * 3600
LEFT_ALONE = 30
ANSWER_SECONDS = 24 * 3600


class DjangoAnswerCache:
    """`chat.parts.AnswerCache` in the cache of the settings. One that is down is the same as an empty one."""

    def get(self, key: str) -> Generation | None:
        value = _get(f"answer:{key}")
        return value if isinstance(value, Generation) else None

    def set(self, key: str, value: Generation) -> None:
        _set(f"answer:{key}", value, ANSWER_SECONDS)


def cached_query(embedder: Embedder, text: str) -> Vectors:
    """The vector of a question, by text and model; of a very long one that of its beginning."""
    text = text[:EMBEDDED]
    key = "query:" + hashlib.sha256(f"{embedder.fingerprint}\0{text}".encode()).hexdigest()
    held = _get(key)
    if isinstance(held, bytes):
        vector: Vectors = np.frombuffer(held, dtype=np.float32)
        return vector
    vector = embedder.query(text)
    _set(key, vector.astype(np.float32).tobytes(), QUERY_SECONDS)
    return vector


def _get(key: str) -> object:
    return _breaker.tried(lambda: cache.get(key))


def _set(key: str, value: object, seconds: int) -> None:
    _breaker.tried(lambda: cache.set(key, value, seconds))


class _Breaker:
    """A cache that is down or hangs is left alone for a while, so that one question waits for it and not every one."""

    until = 0.0

    def tried(self, call: Callable[[], object]) -> object:
        """The call's result, or None while the cache does not answer."""
        if monotonic() < self.until:
            return None
        try:
            return call()
        except Exception as error:  # any backend, any way of being down
            self.until = monotonic() + LEFT_ALONE
            logger.warning("the cache did not answer, it is left alone for %s seconds: %s", LEFT_ALONE, error)
            return None


_breaker = _Breaker()
