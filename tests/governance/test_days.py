"""Both days of a window that is shown are days on which it counts."""

from __future__ import annotations

from datetime import date

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import translation

from governance.templatetags.days import days

FIRST, AFTER = date(2026, 1, 1), date(2026, 3, 1)


@pytest.mark.parametrize(
    ("window", "said"),
    [
        (None, "—"),
        (DateRange(empty=True), "—"),
        (DateRange(None, None), "—"),
        (DateRange(FIRST, None), "desde 01/01/2026"),
        (DateRange(None, AFTER), "até 28/02/2026"),
        (DateRange(FIRST, AFTER), "01/01/2026 a 28/02/2026"),
        (DateRange(FIRST, date(2026, 1, 2)), "01/01/2026 a 01/01/2026"),
    ],
)
def test_a_window_is_said_by_its_first_and_its_last_day(window: DateRange | None, said: str) -> None:
    with translation.override("pt-br"):
        assert days(window) == said
