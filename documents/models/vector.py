"""The column type of vectors: half precision in the table, numpy outside of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from pgvector.django import HalfVectorField


class VectorField(HalfVectorField):
    """Float32 of shape (dimensions,) in Python. Read in binary form: as text, a question's candidates take 20 ms."""

    def select_format(self, compiler: Any, sql: str, params: Any) -> tuple[str, Any]:
        return f"halfvec_send({sql})", params

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:
            return None
        # Two numbers of two bytes come first: dimensions and a reserved one.
        vector: NDArray[np.float32] = np.frombuffer(bytes(value), dtype=">f2", offset=4).astype(np.float32)
        return vector

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else HalfVector(value).to_text()
