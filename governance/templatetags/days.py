"""Windows as people read them."""

from __future__ import annotations

from datetime import timedelta

from django import template
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils.formats import date_format
from django.utils.translation import pgettext

register = template.Library()


@register.filter
def days(window: DateRange | None) -> str:
    """From which day to which, both counted, as on the pages of documents; a window itself ends with the day after."""
    if window is None or window.isempty:
        return "—"
    first = date_format(window.lower, "SHORT_DATE_FORMAT") if window.lower else ""
    last = date_format(window.upper - timedelta(1), "SHORT_DATE_FORMAT") if window.upper else ""
    if first and last:
        return f"{first} {pgettext('from a day to a day', 'to')} {last}"
    if first:
        return f"{pgettext('from a day on', 'from')} {first}"
    return f"{pgettext('until a day', 'until')} {last}" if last else "—"
