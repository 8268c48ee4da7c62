"""An embedder that costs nothing: what is left of an import is the portal's own work."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from documents.embedders.base import Vectors


class Embedder:
    """The same unit vector for every text; a token is four characters."""

    fingerprint = "still-1"
    dimensions = 384
    max_tokens = 512

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.tile(self.query(""), (len(texts), 1))

    def query(self, _text: str) -> Vectors:
        vector = np.zeros(self.dimensions, dtype=np.float32)
        vector[0] = 1.0
        return vector

    def count(self, text: str) -> int:
        return len(text) // 4 + 2
