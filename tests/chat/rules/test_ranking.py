"""Standardised signals are added up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.ranking import standard, total


def test_the_scale_of_a_signal_does_not_matter() -> None:
    assert np.allclose(total([[1, 2, 3], [30, 20, 10]]), 0, atol=1e-6)
    assert total([[1, 2, 3], [0.91, 0.92, 0.99]]).argmax() == 2


def test_a_signal_that_says_nothing_counts_nothing() -> None:
    assert standard([0.9, 0.9, 0.9]).tolist() == [0.0, 0.0, 0.0]
    assert standard([]).tolist() == []


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=50))
def test_standardised_values_keep_the_order(values: list[float]) -> None:
    column = standard(values)
    assert np.isfinite(column).all()
    assert abs(float(column.mean())) < 1e-2
    order = np.argsort(values, kind="stable")
    assert (np.diff(column[order]) >= -1e-6).all()
