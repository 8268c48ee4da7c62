"""Days are written as each language writes them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import translation
from django.utils.formats import date_format

DAYS = [datetime(2025, month, 1, 8, 5) for month in range(1, 13)]
WEEK = [datetime(2025, 6, 2, 8, 5) + timedelta(days=day) for day in range(7)]


@pytest.mark.parametrize(
    "format_", ["DATE_FORMAT", "DATETIME_FORMAT", "YEAR_MONTH_FORMAT", "MONTH_DAY_FORMAT", "j E Y"]
)
def test_months_have_no_capital_in_portuguese(format_: str) -> None:
    with translation.override("pt-br"):
        written = [date_format(day, format_) for day in DAYS]
    assert written == [text.lower() for text in written]
    assert len(set(written)) == len(DAYS)


def test_days_of_the_week_have_none_either() -> None:
    with translation.override("pt-br"):
        written = [date_format(day, "l") for day in WEEK]
    assert written[0] == "segunda-feira"
    assert written == [text.lower() for text in written]


def test_english_keeps_its_own() -> None:
    with translation.override("en"):
        assert date_format(DAYS[5], "DATE_FORMAT") == "June 1, 2025"
        assert date_format(WEEK[0], "l") == "Monday"


def test_a_time_in_a_table_is_short() -> None:
    with translation.override("pt-br"):
        assert date_format(DAYS[5], "DATETIME_FORMAT") == "01/06/2025 08:05"
