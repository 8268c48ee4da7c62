"""Intervals and the paired test, against figures computed elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.rules.shares import mcnemar, paired_interval, wilson


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(hits: int, total: int, low: float, high: float):
    assert wilson(hits, total) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilson_holds_its_share_and_stays_inside(hits: int, total: int):
    hits = min(hits, total)
    low, high = wilson(hits, total)

    assert 0.0 <= low <= hits / total <= high <= 1.0


def test_mcnemar_gives_the_binomial_probability():
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(2, 8) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert mcnemar(5, 5) == 1.0


@given(st.integers(0, 200), st.integers(0, 200))
def test_neither_side_is_favoured(only_a: int, only_b: int):
    total = only_a + only_b + 10
    low, high = paired_interval(only_a, only_b, total)

    assert mcnemar(only_a, only_b) == mcnemar(only_b, only_a)
    assert paired_interval(only_b, only_a, total) == (pytest.approx(-high), pytest.approx(-low))
    assert -1.0 <= low <= high <= 1.0


def test_an_interval_over_few_pairs_is_wide_and_over_many_narrow():
    few, many = paired_interval(3, 1, 10), paired_interval(300, 100, 1000)

    assert few[0] < 0 < few[1], "two questions more of ten may be chance"
    assert many[0] > 0
    assert many[1] - many[0] < few[1] - few[0]
    assert paired_interval(0, 0, 0) == (-1.0, 1.0)
