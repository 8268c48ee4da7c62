"""Caches that can only save time: what they hold depends on nothing but their key, and a lost one is made again."""

from __future__ import annotations

import hashlib
import logging

import numpy as np
from django.core.cache import cache

from chat.rules.types import Generation
from documents.embedders.base import Embedder, Vectors

logger = logging.getLogger(__name__)

QUERY_SECONDS = 7 * 24 * 3600
ANSWER_SECONDS = 24 * 3600


class DjangoAnswerCache:
    """`chat.parts.AnswerCache` in the cache of the settings. One that is down is the same as an empty one."""

    def get(self, key: str) -> Generation | None:
        value = _get(f"answer:{key}")
        return value if isinstance(value, Generation) else None

    def set(self, key: str, value: Generation) -> None:
        _set(f"answer:{key}", value, ANSWER_SECONDS)


def cached_query(embedder: Embedder, text: str) -> Vectors:
    """The vector of a question, by text and model."""
    key = "query:" + hashlib.sha256(f"{embedder.fingerprint}\0{text}".encode()).hexdigest()
    held = _get(key)
    if isinstance(held, bytes):
        vector: Vectors = np.frombuffer(held, dtype=np.float32)
        return vector
    vector = embedder.query(text)
    _set(key, vector.astype(np.float32).tobytes(), QUERY_SECONDS)
    return vector


def _get(key: str) -> object:
    try:
        return cache.get(key)
    except Exception as error:  # any backend, any way of being down
        logger.warning("the cache did not answer: %s", error)
        return None


def _set(key: str, value: object, seconds: int) -> None:
    try:
        cache.set(key, value, seconds)
    except Exception as error:
        logger.warning("the cache did not take a value: %s", error)
