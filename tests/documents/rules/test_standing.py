"""How a revision stands on a day, and where its window lies on the line of time."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from documents.rules.standing import Standing, standing
from documents.rules.timeline import LENGTH, Bar, timeline
from documents.rules.types import State, Window

TODAY = date(2026, 6, 1)
PAST, NOW, NEXT = (
    Window(date(2025, 1, 1), date(2026, 1, 1)),
    Window(date(2026, 1, 1), None),
    Window(date(2027, 1, 1), None),
)


@pytest.mark.parametrize(
    ("state", "validity", "in_force", "superseded", "said"),
    [
        (State.PUBLISHED, NOW, NOW, False, Standing.CURRENT),
        (State.RETIRED, NOW, Window(NOW.start, date(2026, 7, 1)), False, Standing.CURRENT),
        (State.PUBLISHED, NEXT, NEXT, False, Standing.FUTURE),
        (State.APPROVED, NEXT, NEXT, False, Standing.FUTURE),
        (State.APPROVED, NOW, NOW, False, Standing.DRAFT),
        (State.APPROVED, None, None, False, Standing.DRAFT),
        (State.APPROVED, Window(None, TODAY), None, False, Standing.DRAFT),
        (State.DRAFT, NEXT, NEXT, False, Standing.DRAFT),
        (State.IN_REVIEW, NOW, NOW, False, Standing.DRAFT),
        (State.PUBLISHED, PAST, PAST, True, Standing.SUPERSEDED),
        (State.PUBLISHED, PAST, PAST, False, Standing.EXPIRED),
        (State.RETIRED, PAST, PAST, True, Standing.RETIRED),
        (State.RETIRED, NOW, None, False, Standing.RETIRED),
        (State.PUBLISHED, Window(TODAY, None), Window(TODAY, None), False, Standing.CURRENT),
        (State.PUBLISHED, Window(PAST.start, TODAY), Window(PAST.start, TODAY), True, Standing.SUPERSEDED),
    ],
)
def test_one_word_says_how_a_revision_stands(
    state: State, validity: Window | None, in_force: Window | None, superseded: bool, said: Standing
) -> None:
    assert standing(state, validity, in_force, superseded=superseded, on=TODAY) is said


def test_windows_that_follow_each_other_touch_on_the_line() -> None:
    line = timeline([NOW, PAST, None], TODAY)
    now, past, none = line.bars
    assert none is None
    assert now is not None
    assert past is not None
    assert past.start == 0
    assert past.start + past.width == now.start
    assert now.start + now.width == LENGTH
    assert now.start < line.today < LENGTH
    assert (line.first, line.last) == (date(2025, 1, 1), TODAY)


def test_the_line_holds_today_and_days_to_come() -> None:
    line = timeline([Window(date(2030, 1, 1), date(2031, 1, 1))], TODAY)
    assert line.today == 0
    assert line.bars[0] is not None
    assert line.bars[0].start > LENGTH // 2
    assert timeline([], TODAY).bars == ()


@pytest.mark.parametrize("window", [Window(TODAY, TODAY), Window(None, None), Window(TODAY, date(2026, 6, 2))])
def test_no_window_leaves_the_line(window: Window) -> None:
    line = timeline([window, PAST, Window(date(1990, 1, 1), date(2040, 1, 1))], TODAY)
    for bar in line.bars:
        assert bar is None or (bar.start >= 0 and bar.width > 0 and bar.start + bar.width <= LENGTH)
    assert timeline([Window(None, None)], TODAY).bars == (Bar(0, LENGTH),)


@pytest.mark.parametrize("start", [None, date.min, date(2026, 1, 1), date.max])
def test_a_window_is_empty_where_no_day_is_inside(start: date | None) -> None:
    """A window with a day inside has a last day to name, so no page stumbles over the ends of the calendar."""
    for until in (date.min, date(1, 1, 2), date(2026, 1, 1), date.max):
        days = (date.min, date(2025, 12, 31), date(2026, 1, 1), date(9999, 12, 30))
        window = Window(start, until)
        assert not (window.empty and any(map(window.contains, days)))
        assert window.empty or window.contains(until - timedelta(1))
