"""Cells of a table as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django import template
from django.utils.formats import date_format, number_format

register = template.Library()
FEW = 0.01


@register.filter
def cell(value: object) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if isinstance(value, float):
        return number_format(value, 6 if 0 < abs(value) < FEW else 2 if value % 1 else 0)
    if isinstance(value, int):
        return number_format(value, force_grouping=True)
    return str(value)


@register.filter
def slot(row: Sequence[object], place: int) -> object:
    return row[place]
