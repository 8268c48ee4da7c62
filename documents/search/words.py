"""Word vectors: kept in a table by the worker, held in memory by whoever ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from documents.embedders.base import Embedder, Vectors
from documents.models import Chunk, WordVector
from documents.rules.terms import analyse

LONGEST = 100
BATCH = 256


def vocabulary(chunks: Iterable[Chunk]) -> set[str]:
    """The distinct words of chunks with their headings, in their own spelling; no numbers."""
    texts = {text for chunk in chunks for text in (chunk.heading, chunk.text)}
    return {t.surface for text in texts for t in analyse(text).tokens if not t.number and len(t.surface) <= LONGEST}


def ensure_words(words: Iterable[str], embedder: Embedder) -> None:
    """Give every word its vector under this model; only new words reach the model."""
    wanted, fingerprint = sorted(set(words)), embedder.fingerprint
    known: set[str] = set()
    for first in range(0, len(wanted), 5000):
        part = wanted[first : first + 5000]
        rows = WordVector.objects.filter(fingerprint=fingerprint, word__in=part)
        known.update(rows.values_list("word", flat=True))
    fresh = [word for word in wanted if word not in known]
    for first in range(0, len(fresh), BATCH):
        part = fresh[first : first + BATCH]
        vectors = embedder.passages(part).astype(np.float16)
        WordVector.objects.bulk_create(
            [
                WordVector(fingerprint=fingerprint, word=word, vector=vector.tobytes())
                for word, vector in zip(part, vectors, strict=True)
            ],
            ignore_conflicts=True,
        )


class WordStore:
    """`chat.rules.coverage.Words` over the table: vectors centred on the vocabulary's mean, unit length.

    The vocabulary is read at first use; a word that came later is read, and one that nobody wrote is embedded, when
    it is first met. The mean stays that of the first reading, so that scores of one process are comparable.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = Lock()
        self._rows: dict[str, int] = {}
        self._matrix = np.zeros((0, embedder.dimensions), dtype=np.float16)
        self._mean: Vectors | None = None

    def rows(self, surfaces: Sequence[str]) -> npt.NDArray[np.int64]:
        with self._lock:
            if self._mean is None:
                self._read()
            missing = [word for word in dict.fromkeys(surfaces) if word not in self._rows]
            if missing:
                self._add(missing)
            return np.fromiter((self._rows[word] for word in surfaces), dtype=np.int64, count=len(surfaces))

    def vectors(self, rows: npt.NDArray[np.int64]) -> Vectors:
        return self._matrix[rows].astype(np.float32)

    def _read(self) -> None:
        table = WordVector.objects.filter(fingerprint=self._embedder.fingerprint)
        stored = list(table.order_by("pk").values_list("word", "vector").iterator(5000))
        self._mean = np.zeros(self._embedder.dimensions, dtype=np.float32)
        if stored:
            raw = np.frombuffer(b"".join(bytes(vector) for _word, vector in stored), dtype=np.float16)
            matrix = raw.reshape(len(stored), -1).astype(np.float32)
            self._mean = matrix.mean(axis=0)
            self._keep([word for word, _vector in stored], matrix)

    def _add(self, words: Sequence[str]) -> None:
        table = WordVector.objects.filter(fingerprint=self._embedder.fingerprint, word__in=words)
        stored = {word: np.frombuffer(bytes(v), dtype=np.float16) for word, v in table.values_list("word", "vector")}
        unknown = [word for word in words if word not in stored]
        if unknown:
            stored.update(zip(unknown, self._embedder.passages(unknown), strict=True))
        self._keep(list(words), np.stack([stored[word] for word in words]).astype(np.float32))

    def _keep(self, words: Sequence[str], vectors: Vectors) -> None:
        centred = vectors - self._mean
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        unit = (centred / np.where(lengths > 0, lengths, 1)).astype(np.float16)
        start = len(self._matrix)
        self._matrix = np.concatenate([self._matrix, unit])
        self._rows.update({word: start + number for number, word in enumerate(words)})
