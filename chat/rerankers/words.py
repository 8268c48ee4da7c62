"""The vocabulary in memory: a word is embedded once, then it is a row number."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from documents.embedders.base import Vectors, unit_rows

Rows = NDArray[np.int64]
_QUESTIONS = 4
_NOTHING = np.zeros((0, 1), dtype=np.float32)


class WordVectors(Protocol):
    """Where the vector of a word comes from: a table, a file, or the model for a word that nobody asked for yet."""

    def vectors(self, words: Sequence[str]) -> Vectors:
        """Passage vectors of single lower-case words, shape (len(words), dimensions)."""
        ...

    def mean(self) -> Vectors:
        """What all words have in common, shape (dimensions,): taken off before two words are compared."""
        ...


class _Cosines:
    """How near each word asked is to the words of a matrix, worked out for a row when it is first looked at."""

    def __init__(self, matrix: NDArray[np.float32], asked: Rows) -> None:
        self.matrix = matrix
        self._asked = matrix[asked]
        self._values = np.empty((len(asked), len(matrix)), dtype=np.float32)
        self._known = np.zeros(len(matrix), dtype=bool)

    def of(self, wanted: Rows) -> Vectors:
        """Cosines by row of the matrix, shape (asked, rows); only the columns `wanted` mean anything."""
        fresh = np.zeros(len(self.matrix), dtype=bool)
        fresh[wanted] = True
        fresh &= ~self._known
        rows = np.flatnonzero(fresh)
        if len(rows):
            self._values[:, rows] = self._asked @ self.matrix[rows].T
            self._known[rows] = True  # only now: another thread may look at the same question
        return self._values


class Vocabulary:
    """`chat.rules.coverage.Words` over any `WordVectors`. Threads share it; bounded.

    When it is full it starts anew: the words in use are back after one question. `room` is in words, 1.6 kB each: in
    half precision they would be converted at every question, which takes longer than all that is done with them.
    """

    def __init__(self, source: WordVectors, room: int = 40_000) -> None:
        self._source = source
        self._room = room
        self._lock = Lock()
        self._mean: Vectors | None = None
        self._row: dict[str, int] = {}
        self._rows_of: dict[tuple[str, ...], Rows] = {}
        self._matrix: NDArray[np.float32] = _NOTHING
        self._asked: OrderedDict[tuple[str, ...], _Cosines] = OrderedDict()

    def nearest(self, asked: Sequence[str], texts: Sequence[tuple[str, ...]]) -> Vectors:
        """The cosine of the nearest word of each text to each word asked, (len(asked), len(texts)); 0 for no word."""
        best = np.zeros((len(asked), len(texts)), dtype=np.float32)
        filled = [column for column, words in enumerate(texts) if words]
        if not filled or not asked:
            return best
        own, rows, matrix = self._snapshot(tuple(asked), [texts[column] for column in filled])
        flat = np.concatenate(rows)
        cosines = self._cosines(tuple(asked), own, matrix).of(flat)
        starts = np.cumsum([0, *(len(one) for one in rows[:-1])])
        best[:, filled] = np.maximum.reduceat(cosines[:, flat], starts, axis=1)
        return best

    def commonness(self, vector: Vectors) -> float:
        """The cosine of a question's vector with what all words have in common: what a cosine is measured from."""
        common = self._common()
        return float(vector @ common / (np.linalg.norm(common) or 1.0))

    def _cosines(self, asked: tuple[str, ...], own: Rows, matrix: NDArray[np.float32]) -> _Cosines:
        """Those of the last questions are kept: one asks about its passages, then about their sentences."""
        with self._lock:
            held = self._asked.get(asked)
            if held is None or held.matrix is not matrix:
                held = self._asked[asked] = _Cosines(matrix, own)
            self._asked.move_to_end(asked)
            if len(self._asked) > _QUESTIONS:
                self._asked.popitem(last=False)
            return held

    def _common(self) -> Vectors:
        if self._mean is None:
            self._mean = self._source.mean()
        return self._mean

    def _snapshot(
        self, asked: tuple[str, ...], texts: list[tuple[str, ...]]
    ) -> tuple[Rows, list[Rows], NDArray[np.float32]]:
        """Rows of the words asked and of each text, in one matrix that nobody changes under them."""
        with self._lock:
            missing = self._missing(asked, texts)
        fetched = self._fetch(missing)  # outside of the lock: it may ask a table or the model
        with self._lock:
            if len(self._row) + len(missing) > self._room:
                self._forget()
                fetched = None
            if fetched is None:
                missing = self._missing(asked, texts)
                fetched = self._fetch(missing)
            self._learn(missing, fetched)
            left = self._missing(asked, texts)  # forgotten by another thread meanwhile
            if left:
                self._learn(left, self._fetch(left))
            return self._rows(asked), [self._rows(words) for words in texts], self._matrix

    def _missing(self, asked: tuple[str, ...], texts: list[tuple[str, ...]]) -> list[str]:
        words = set[str]().union(*(group for group in (asked, *texts) if group not in self._rows_of))
        return list(words - self._row.keys())

    def _fetch(self, words: list[str]) -> Vectors | None:
        if not words:
            return None
        return unit_rows(self._source.vectors(words) - self._common())

    def _learn(self, words: list[str], vectors: Vectors | None) -> None:
        if vectors is None:
            return
        fresh = [number for number, word in enumerate(words) if word not in self._row]
        size = len(self._row)
        needed = size + len(fresh)
        if needed > len(self._matrix):
            grown = np.zeros((max(needed, 2 * size, 1024), vectors.shape[1]), dtype=np.float32)
            grown[:size] = self._matrix[:size]
            self._matrix = grown
        for row, number in enumerate(fresh, size):
            self._row[words[number]] = row
        self._matrix[size:needed] = vectors[fresh]

    def _rows(self, words: tuple[str, ...]) -> Rows:
        rows = self._rows_of.get(words)
        if rows is None:
            rows = np.array([self._row[word] for word in words], dtype=np.int64)
            if len(self._rows_of) > self._room:
                self._rows_of.clear()
            self._rows_of[words] = rows
        return rows

    def _forget(self) -> None:
        self._row, self._rows_of, self._matrix = {}, {}, _NOTHING
