"""Several ranked lists become one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.fusion import fuse


def test_what_both_lists_have_comes_first() -> None:
    fused = fuse([[1, 2, 3], [4, 2]])
    assert [one.id for one in fused] == [2, 1, 4, 3]
    assert fused[0].ranks == (2, 2)
    assert fused[0].score == pytest.approx(2 / 62)
    assert fused[1].ranks == (1, None)


def test_ties_are_in_the_order_of_ids() -> None:
    assert [one.id for one in fuse([[9], [3], [5]])] == [3, 5, 9]


def test_nothing_gives_nothing() -> None:
    assert fuse([]) == fuse([[], []]) == []


@given(st.lists(st.lists(st.integers(0, 40)), max_size=4))
def test_every_id_once_and_the_order_of_lists_does_not_matter(lists: list[list[int]]) -> None:
    fused = fuse(lists)
    assert sorted(one.id for one in fused) == sorted({item for ranked in lists for item in ranked})
    assert [one.id for one in fuse(lists[::-1])] == [one.id for one in fused]
