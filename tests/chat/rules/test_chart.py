"""Charts as geometry: what is drawn is what is counted, and fits its box."""

from __future__ import annotations

import pytest

from chat.rules.chart import HEIGHT, WIDTH, columns, nice, percentile, shares


def test_columns_stand_on_each_other_and_are_as_high_as_their_values() -> None:
    chart = columns(["a", "b", "c"], [("sim", [3, 0, 1]), ("não", [1, 2, 0])])
    assert chart is not None
    assert chart.ticks == (5, 2.5, 0.0)
    heights = [(bar.series, float(bar.height), float(bar.y) + float(bar.height)) for bar in chart.bars]
    unit = HEIGHT / 5
    assert heights == [(0, 3 * unit, HEIGHT), (1, unit, HEIGHT - 3 * unit), (1, 2 * unit, HEIGHT), (0, unit, HEIGHT)]
    assert [bar.told for bar in chart.bars] == ["a: sim 3", "a: não 1", "b: não 2", "c: sim 1"]
    assert (chart.first, chart.middle, chart.last) == ("a", "b", "c")


@pytest.mark.parametrize("days", [1, 7, 30, 90])
def test_every_bar_lies_in_the_box(days: int) -> None:
    chart = columns([str(day) for day in range(days)], [("n", [day % 5 + 0.25 for day in range(days)])])
    assert chart is not None
    assert len(chart.bars) == days
    for bar in chart.bars:
        assert 0 <= float(bar.x) < float(bar.x) + float(bar.width) <= WIDTH
        assert 0 <= float(bar.y) <= float(bar.y) + float(bar.height) <= HEIGHT + 0.01


def test_of_nothing_there_is_no_chart() -> None:
    assert columns([], []) is None
    assert columns(["a"], [("n", [0])]) is None


@pytest.mark.parametrize(
    ("value", "top"), [(1, 1), (1.1, 2), (2, 2), (3, 5), (7, 10), (99, 100), (101, 200), (0.03, 0.05), (0.001, 0.001)]
)
def test_an_axis_ends_at_a_round_number(value: float, top: float) -> None:
    assert nice(value) == pytest.approx(top)


def test_bars_are_shares_of_the_largest() -> None:
    assert shares([5, None, 10, 0]) == ["50", None, "100", "0"]
    assert shares([0, 0]) == ["0", "0"]
    assert shares([]) == []


@pytest.mark.parametrize(
    ("values", "share", "value"),
    [([], 0.5, None), ([7], 0.95, 7), ([1, 3], 0.5, 2), ([4, 1, 3, 2], 0.0, 1), ([4, 1, 3, 2], 1.0, 4)],
)
def test_a_percentile_is_interpolated(values: list[float], share: float, value: float | None) -> None:
    assert percentile(values, share) == value
