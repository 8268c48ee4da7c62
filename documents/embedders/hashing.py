"""Vectors from hashed words and letters: no model, the same on every machine. For tests and for a start without one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np

from documents.embedders.base import Vectors, unit_rows

_WORD = re.compile(r"\w+")


class Embedder:
    """Similar spelling gives near vectors: words weigh 1, their letter trigrams together about as much.

    Accents and case are ignored. Knows no synonyms.
    """

    def __init__(self, dimensions: int = 384) -> None:
        if dimensions < 8:
            raise ValueError("a hashing embedder needs at least 8 dimensions")
        self._dimensions = dimensions

    @property
    def fingerprint(self) -> str:
        return f"hashing-1/{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return 512

    def passages(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self._dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, weight in _features(text):
                code = crc32(feature.encode())
                # One bit of the hash is the sign, so that collisions cancel instead of adding up.
                row[(code >> 1) % self._dimensions] += weight if code & 1 else -weight
            if not row.any():
                row[0] = 1.0
        return unit_rows(rows)

    def query(self, text: str) -> Vectors:
        vector: Vectors = self.passages([text])[0]
        return vector

    def count(self, text: str) -> int:
        return len(_WORD.findall(text)) + 2


def _features(text: str) -> Iterator[tuple[str, float]]:
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for word in _WORD.findall(plain):
        yield f"w:{word}", 1.0
        marked = f"<{word}>"
        grams = [marked[i : i + 3] for i in range(len(marked) - 2)]
        for gram in grams:
            yield f"g:{gram}", len(grams) ** -0.5
