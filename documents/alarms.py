"""What somebody with the role indexer has to look at: one open row a kind, a log line when it begins."""

from __future__ import annotations

import logging

from django.db import IntegrityError, transaction
from django.utils import timezone

from documents.models import Alarm

logger = logging.getLogger(__name__)


def report(kind: Alarm.Kind, note: str, count: int) -> None:
    """Open the alarm of this kind, or bring the open one up to date; a count of 0 says that it is over."""
    if not count:
        _close(kind)
        return
    changed = Alarm.objects.filter(kind=kind, closed_at=None).update(note=note, count=count, seen_at=timezone.now())
    if not changed:
        try:
            with transaction.atomic():
                Alarm.objects.create(kind=kind, note=note, count=count)
        except IntegrityError:
            return  # another process opened it in this instant
        logger.error("alarm: %s (%s): %s", kind, count, note)


def _close(kind: Alarm.Kind) -> None:
    if Alarm.objects.filter(kind=kind, closed_at=None).update(closed_at=timezone.now()):
        logger.warning("alarm over: %s", kind)
