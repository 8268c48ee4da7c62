"""Caches that can only save time: what they hold depends on nothing but their key, and a lost one is made again."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic

import numpy as np
from django.core.cache import cache

from chat.rules.types import Generation
from documents.embedders.base import Embedder, EmbedderUnavailable, Vectors
from documents.rules.passage import Passage

logger = logging.getLogger(__name__)

EMBEDDED = 600
"""Characters of a question that are embedded: more is no question, and costs seconds."""
QUERY_SECONDS = 7 * 24 * 3600
LEFT_ALONE = 30
ANSWER_SECONDS = 24 * 3600

NEWEST = "answers:newest"
SAMPLED = 100

_here = ThreadPoolExecutor(2, thread_name_prefix="embed")
_elsewhere = ThreadPoolExecutor(32, thread_name_prefix="embed-call")
"""A model in this process shares its cores; calls to one elsewhere wait beside one another."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in which revision a passage stands that an answer was made from."""

    revision: int
    start: int
    end: int
    text_hash: str


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer with what it was made from, so that it can be compared with the tables."""

    generation: Generation
    places: tuple[Place, ...]


class DjangoAnswerCache:
    """`chat.parts.AnswerCache` in the cache of the settings. One that is down is the same as an empty one."""

    def get(self, key: str) -> Generation | None:
        value = _get(f"answer:{key}")
        return value.generation if isinstance(value, Kept) else None

    def set(self, key: str, value: Generation, sent: Sequence[Passage]) -> None:
        places = tuple(Place(int(one.revision_id), one.start, one.end, one.text_hash) for one in sent)
        _set(f"answer:{key}", Kept(value, places), ANSWER_SECONDS)
        newest = [key, *(other for other in _newest() if other != key)]
        _set(NEWEST, newest[:SAMPLED], ANSWER_SECONDS)


def kept_answers() -> dict[str, Kept]:
    """The newest answers by their key: a sample, because two processes that write at once lose one of two names."""
    found = {key: _get(f"answer:{key}") for key in _newest()}
    return {key: one for key, one in found.items() if isinstance(one, Kept)}


def held_query(embedder: Embedder, text: str) -> Vectors | None:
    """The vector that is kept for a question under this model, if there is one."""
    held = _get(_query_key(embedder, text[:EMBEDDED]))
    return np.frombuffer(held, dtype=np.float32) if isinstance(held, bytes) else None


def _newest() -> list[str]:
    held = _get(NEWEST)
    return [str(key) for key in held] if isinstance(held, list) else []


def _query_key(embedder: Embedder, text: str) -> str:
    return "query:" + hashlib.sha256(f"{embedder.fingerprint}\0{text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Begun:
    """A question that is being embedded while its reader is looked up."""

    embedder: Embedder
    text: str
    vector: Future[Vectors]


def begin(embedder: Embedder, question: str) -> Begun | None:
    """Embed a question as it was typed, which is how most are looked for, before it is known whether it must be.

    Only by a model in this process: nothing is sent away, and nobody is paid, before the reader is known.
    """
    if _pool_of(embedder) is not _here:
        return None
    text = question[:EMBEDDED]
    return Begun(embedder, text, _here.submit(_query, embedder, text))


def queries(embedder: Embedder, texts: Sequence[str], begun: Begun | None = None) -> list[Future[Vectors]]:
    """The vectors of a question's wordings, by text and model, made side by side while the caller goes on; of a very
    long wording that of its beginning. Asking for one raises `EmbedderUnavailable`.
    """
    texts = [text[:EMBEDDED] for text in texts]
    made: dict[str, Future[Vectors]] = {}
    if begun is not None:
        if begun.embedder is embedder and begun.text in texts:
            made[begun.text] = begun.vector
        else:
            begun.vector.cancel()
    pool = _pool_of(embedder)
    for text in texts:
        if text not in made:
            made[text] = pool.submit(_query, embedder, text)
    return [made[text] for text in texts]


def _pool_of(embedder: Embedder) -> ThreadPoolExecutor:
    return _here if getattr(embedder, "in_process", False) else _elsewhere


def _query(embedder: Embedder, text: str) -> Vectors:
    held = held_query(embedder, text)
    if held is not None:
        return held
    made = embedder.query(text)
    if made.shape != (embedder.dimensions,) or not np.isfinite(made).all():
        # No engine can look for it, and the cache would hand it out again.
        raise EmbedderUnavailable(f"the model gave what is no vector of {embedder.dimensions} numbers")
    _set(_query_key(embedder, text), made.astype(np.float32).tobytes(), QUERY_SECONDS)
    return made


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
