"""What time it is, by the one clock that all processes share: the database's.

The hosts of web and workers have clocks of their own. Where one process writes a moment or a day that another one
compares, an hour between the two would be an hour for which a retired text is still quoted, or a delay that was none.
"""

from __future__ import annotations

from datetime import date, datetime

from django.db import connection
from django.utils import timezone


def now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


def today() -> date:
    """The day in the portal's time zone."""
    return timezone.localdate(now())
