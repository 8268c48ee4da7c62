"""Vectors from a sentence-transformers model, by path or name. Needs the optional `models` requirements."""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from documents.embedders.base import EmbedderUnavailable, Vectors, encodable, unit_rows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class Embedder:
    """e5 models get their prefixes unless others are given. The model is read on first use, one call at a time.

    `device` is PyTorch's name (`cpu`, `cuda`, `cuda:1`, `mps`); None takes a GPU where there is one.
    """

    def __init__(
        self,
        model: str,
        *,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        batch: int = 16,
        device: str | None = None,
    ) -> None:
        e5 = "e5" in model.rsplit("/", 1)[-1].lower()
        self._name = model
        self._query_prefix = ("query: " if e5 else "") if query_prefix is None else query_prefix
        self._passage_prefix = ("passage: " if e5 else "") if passage_prefix is None else passage_prefix
        self._batch = batch
        self._device = device
        self._lock = RLock()
        self._model: SentenceTransformer | None = None

    @property
    def fingerprint(self) -> str:
        return f"sentence-transformers/{self._name}/{self._query_prefix!r}{self._passage_prefix!r}"

    @property
    def dimensions(self) -> int:
        return int(self._loaded().get_embedding_dimension() or 0)

    @property
    def max_tokens(self) -> int:
        return int(self._loaded().max_seq_length or 512)

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._encode([self._passage_prefix + encodable(text) for text in texts])

    def query(self, text: str) -> Vectors:
        vector: Vectors = self._encode([self._query_prefix + encodable(text)])[0]
        return vector

    def count(self, text: str) -> int:
        with self._lock:
            return len(self._loaded().tokenizer(self._passage_prefix + encodable(text), truncation=False)["input_ids"])

    def _encode(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        with self._lock:
            rows = self._loaded().encode(texts, batch_size=self._batch, convert_to_numpy=True, show_progress_bar=False)
        return unit_rows(np.asarray(rows, dtype=np.float32))

    def _loaded(self) -> SentenceTransformer:
        with self._lock:
            if self._model is None:
                try:
                    from sentence_transformers import SentenceTransformer

                    self._model = SentenceTransformer(self._name, device=self._device)
                except (ImportError, OSError, RuntimeError, ValueError) as error:
                    raise EmbedderUnavailable(f"the embedding model {self._name} cannot be loaded: {error}") from error
            return self._model
