"""Which texts leave force soon, and whether another one follows them: the one place that says so."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Exists, OuterRef

from documents.models import Revision
from documents.querysets import RevisionQuerySet
from documents.rules.lifecycle import ONCE_PUBLISHED

SOON = timedelta(days=30)
"""Ahead of which whoever answers for a text has it among what waits for them."""
AHEAD = timedelta(days=90)
"""Ahead of which the dashboards tell it."""


def ending(rows: RevisionQuerySet, today: date, within: timedelta) -> RevisionQuerySet:
    """Those in force today that leave it within that time, by their date or by retirement; the next to end first.

    `followed` says whether another text of the document is in force from the very day. One that is not published yet
    does not count: nothing is sure to follow.
    """
    followers = Revision.objects.filter(
        document=OuterRef("document"),
        state__in=ONCE_PUBLISHED,
        in_force__contains=OuterRef("in_force__endswith"),
    ).exclude(pk=OuterRef("pk"))
    rows = rows.filter(
        state__in=ONCE_PUBLISHED,
        in_force__contains=today,
        in_force__endswith__gt=today,
        in_force__endswith__lte=today + within,
    )
    return rows.annotate(followed=Exists(followers)).order_by("in_force__endswith", "pk")
