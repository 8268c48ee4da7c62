"""Windows of one document: whatever is published in whatever order, they never share a day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.rules.types import Window
from governance.rules.succession import Held, overlap, reopen, succeed, uncovered

D = [date(2026, month, 1) for month in range(1, 13)]


def held(number: int, start: date, until: date | None = None) -> Held:
    return Held(number, f"v{number}", Window(start, until))


def test_the_one_in_force_on_the_first_day_is_closed() -> None:
    others = [held(1, D[0], D[2]), held(2, D[2])]
    assert succeed(D[5], None, others).closes == others[1]
    assert succeed(D[1], D[2], others).closes == others[0]


def test_a_window_that_ended_by_itself_leaves_its_gap() -> None:
    assert succeed(D[5], None, [held(1, D[0], D[3])]) == succeed(D[5], None, [])


def test_one_that_begins_that_day_or_later_stands_in_the_way() -> None:
    for start in (D[5], D[6]):
        assert succeed(D[5], None, [held(1, D[0]), held(2, start)]).obstacle == held(2, start)


def test_an_explicit_end_before_it_makes_room() -> None:
    later = held(2, D[6])
    assert succeed(D[3], D[6], [later]).obstacle is None
    assert succeed(D[3], D[7], [later]).obstacle == later


def test_what_was_never_in_force_is_in_nobodys_way() -> None:
    assert succeed(D[3], None, [held(1, D[6], D[6])]).obstacle is None
    assert overlap(Window(D[0], None), [held(1, D[6], D[6])]) is None


days = st.integers(0, 60).map(lambda n: date(2026, 1, 1) + timedelta(days=n))
windows = st.tuples(days, st.none() | st.integers(1, 30)).map(
    lambda pair: (pair[0], None if pair[1] is None else pair[0] + timedelta(days=pair[1]))
)


@given(st.lists(windows, max_size=12))
def test_publishing_in_any_order_never_makes_two_share_a_day_nor_lengthens_one(asked: list) -> None:
    shelf: list[Held] = []
    for number, (start, until) in enumerate(asked):
        result = succeed(start, until, shelf)
        if result.obstacle is not None:
            continue
        if result.closes is not None:
            old = result.closes
            assert old.window.contains(start)
            shelf[shelf.index(old)] = held(old.id, old.window.start or start, start)
        shelf.append(held(number, start, until))
        for one in shelf:
            assert overlap(one.window, [other for other in shelf if other.id != one.id]) is None


@pytest.mark.parametrize(
    ("others", "until", "obstacle"),
    [
        ([], None, None),
        ([(6, None)], 6, None),
        ([(6, 8)], 6, None),
        ([(3, 4)], None, 0),
        ([(3, None)], None, 0),
        ([(0, 2)], None, 0),
        ([(6, 6)], None, None),
    ],
)
def test_a_retirement_is_taken_back_up_to_what_begins_later(
    others: list[tuple[int, int | None]], until: int | None, obstacle: int | None
) -> None:
    """Today is D[4]: what began by then keeps its days, and what begins later ends the window as a successor would."""
    shelf = [held(n, D[start], None if end is None else D[end]) for n, (start, end) in enumerate(others)]
    result = reopen(Window(D[0], None), shelf, D[4])
    if obstacle is not None:
        assert (result.window, result.obstacle) == (None, shelf[obstacle])
    else:
        assert result.window == Window(D[0], None if until is None else D[until])


def test_a_day_is_covered_by_whatever_is_in_force_on_it() -> None:
    assert uncovered(D[3], [])
    assert uncovered(D[3], [held(1, D[0], D[3]), held(2, D[4]), held(3, D[3], D[3])])
    assert not uncovered(D[3], [held(1, D[3])])
