"""What somebody with the role indexer has to look at: one open row a kind, a log line when it begins."""

from __future__ import annotations

import logging

from django.db import IntegrityError, transaction
from django.utils import timezone

from documents.models import Alarm

logger = logging.getLogger(__name__)


def report(kind: Alarm.Kind, note: str, count: int) -> Alarm:
    """Open the alarm of this kind, or bring the open one up to date."""
    changed = Alarm.objects.filter(kind=kind, closed_at=None).update(note=note, count=count, seen_at=timezone.now())
    if not changed:
        try:
            with transaction.atomic():
                alarm = Alarm.objects.create(kind=kind, note=note, count=count)
            logger.error("alarm: %s (%s): %s", kind, count, note)
            return alarm
        except IntegrityError:
            pass  # another process opened it in this instant
    return Alarm.objects.get(kind=kind, closed_at=None)


def clear(kind: Alarm.Kind) -> None:
    """What raised it is over."""
    if Alarm.objects.filter(kind=kind, closed_at=None).update(closed_at=timezone.now()):
        logger.warning("alarm over: %s", kind)
