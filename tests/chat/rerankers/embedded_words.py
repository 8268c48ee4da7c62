"""Word vectors without a table, for tests that need none."""

from __future__ import annotations

from collections.abc import Sequence

from documents.embedders.base import Embedder, Vectors


class EmbeddedWords:
    """`chat.rerankers.words.WordVectors` straight from an embedder; the mean is that of the words given."""

    def __init__(self, embedder: Embedder, common: Sequence[str]) -> None:
        self._embedder = embedder
        self._common = common

    def vectors(self, words: Sequence[str]) -> Vectors:
        return self._embedder.passages(words)

    def mean(self) -> Vectors:
        mean: Vectors = self._embedder.passages(self._common).mean(axis=0)
        return mean
