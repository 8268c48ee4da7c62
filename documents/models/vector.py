"""The column type of vectors: half precision in the table, numpy outside of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.django import HalfVectorField


def as_sent(vector: NDArray[np.floating]) -> bytes:
    """As the column type is sent: how many numbers, a zero, then the numbers, each of two bytes, big end first."""
    return len(vector).to_bytes(2, "big") + b"\0\0" + vector.astype(">f2").tobytes()


def from_sent(data: bytes | memoryview) -> NDArray[np.float16]:
    """The numbers of `as_sent`, shape (dimensions,)."""
    return np.frombuffer(bytes(data), dtype=">f2", offset=4).astype(np.float16)


class VectorField(HalfVectorField):
    """Float32 of shape (dimensions,) in Python. Read in binary form: as text, a question's candidates take 20 ms."""

    def select_format(self, compiler: Any, sql: str, params: Any) -> tuple[str, Any]:
        return f"halfvec_send({sql})", params

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:
            return None
        return from_sent(value).astype(np.float32)

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else HalfVector(value).to_text()
