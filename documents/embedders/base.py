"""What every embedder promises, whatever computes the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from documents.errors import TryLater

Vectors = NDArray[np.float32]


class EmbedderUnavailable(TryLater, RuntimeError):
    """The model or its endpoint cannot be used now; the message is for the operator."""


class Embedder(Protocol):
    """Texts to unit vectors, the same text always to the same vector.

    `fingerprint` names model, version and every setting that changes a vector: vectors of different fingerprints are
    never compared. `dimensions` is the length of each vector. `max_tokens` is what one pass of the model sees. One that
    computes in this process may say so by an attribute `in_process = True`: its questions are begun early.
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Shape `(len(texts), dimensions)`, float32, each row of length 1. Raises `EmbedderUnavailable`."""
        ...

    def query(self, text: str) -> Vectors:
        """Shape `(dimensions,)`, float32, of length 1. Raises `EmbedderUnavailable`."""
        ...

    def count(self, text: str) -> int:
        """Tokens that the model reads for `text` as a passage, its own marks included."""
        ...


def unit_rows(vectors: Vectors) -> Vectors:
    """Each row scaled to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled


def encodable(text: str) -> str:
    """Without what no model can read: a NUL would end a C string there, a lone surrogate has no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
