"""The order of the joint list: a sum of standardised signals, each worth the same on every corpus.

Weights fitted on one corpus lose on another; equal ones do not. Reciprocal ranks alone throw away how far ahead a
passage is, and lose first places wherever the question's words are in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from documents.rules.types import Authority

Column = NDArray[np.float32]

AUTHORITY: Mapping[Authority, float] = {Authority.OFFICIAL: 0.0, Authority.UNOFFICIAL: -1.0, Authority.ONE_OFF: -1.0}
"""What a source that is no rule loses, in standard deviations: it comes after a rule that says about as much."""


def standard(values: Sequence[float] | Column) -> Column:
    """Each value in standard deviations from the mean of the list; zeros where all are equal."""
    column = np.asarray(values, dtype=np.float64)
    spread = column.std() if len(column) else 0.0
    centred = column - column.mean() if spread > 1e-7 else np.zeros_like(column)
    return (centred / (spread or 1.0)).astype(np.float32)


def total(columns: Sequence[Sequence[float] | Column]) -> Column:
    """The sum of the standardised columns, each of one value a candidate."""
    return np.sum([standard(column) for column in columns], axis=0, dtype=np.float32)
