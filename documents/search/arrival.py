"""When a change has arrived: for each layer that answers are made from, when it agreed with the tables."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from documents import clock
from documents.batches import in_parts
from documents.models import Propagation, Revision
from documents.propagation import WATCHED
from documents.search import active
from documents.search.base import Engine, EngineUnavailable
from documents.search.compare import agreeing

BATCH = 200
MOMENTS = ("index_at", "copies_at", "caches_at", "agreed_at")
logger = logging.getLogger(__name__)

CacheCheck = Callable[[Sequence[int]], Sequence[str]]
"""Revision ids → what a cache still says otherwise of them, in words; nothing when it agrees."""


def settle(engine: Engine, revision_ids: Sequence[int]) -> None:
    """Look again at the open changes of these revisions' documents, by reading each layer back."""
    for part in in_parts(revision_ids, BATCH):
        rows = Propagation.objects.filter(agreed_at=None, document__revisions__in=part)
        look(engine, list(rows.distinct()))


def look_again() -> int:
    """Look at the open changes of the last day whose time is nearest: a copy may have caught up by itself."""
    since = clock.now() - WATCHED
    rows = Propagation.objects.filter(agreed_at=None, committed_at__gte=since).order_by("due_at")
    return look(active.engine(), list(rows[:BATCH]))


def look(engine: Engine, rows: Sequence[Propagation]) -> int:
    """Note of each change what agrees by now; how many agree in every layer. A layer that is down does not agree."""
    version = active.version()
    if version is None or not rows:
        return 0
    of_document: dict[int, list[int]] = {row.document_id: [] for row in rows}
    for pk, document in Revision.objects.filter(document__in=of_document).values_list("pk", "document_id"):
        of_document[document].append(pk)
    ids = [pk for own in of_document.values() for pk in own]
    try:
        here = _Seen(agreeing(engine, version, ids, every_copy=False), clock.now())
        everywhere = _Seen(agreeing(engine, version, sorted(here.revisions), every_copy=True), clock.now())
    except EngineUnavailable as error:
        logger.warning("whether a change has arrived can't be told: %s", error)
        return 0
    cached = None if ids and cache_differences(ids) else clock.now()
    for row in rows:
        own = set(of_document[row.document_id])
        # A cache that differs somewhere is asked about each change: it does not say about which.
        at = cached or (clock.now() if not cache_differences(sorted(own)) else None)
        _note(row, here.of(own), everywhere.of(own), at)
    _save(rows)
    return sum(row.agreed_at is not None for row in rows)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Revisions that agreed, and when that was seen."""

    revisions: set[int]
    at: datetime

    def of(self, own: set[int]) -> datetime | None:
        return self.at if own <= self.revisions else None


def _note(row: Propagation, here: datetime | None, everywhere: datetime | None, cached: datetime | None) -> None:
    row.index_at = row.index_at or here
    row.copies_at = row.copies_at or everywhere
    row.caches_at = row.caches_at or (cached if row.index_at else None)
    if row.index_at and row.copies_at and row.caches_at:
        row.agreed_at = max(row.index_at, row.copies_at, row.caches_at)


def _save(rows: Sequence[Propagation]) -> None:
    """Of a bulk load most rows agree at the same moments: one statement for all of these."""
    alike: dict[tuple[datetime | None, ...], list[int]] = {}
    for row in rows:
        alike.setdefault(tuple(getattr(row, name) for name in MOMENTS), []).append(row.pk)
    for moments, ids in alike.items():
        # What another process has seen agree meanwhile stays so: this one may have looked before it did.
        Propagation.objects.filter(pk__in=ids, agreed_at=None).update(**dict(zip(MOMENTS, moments, strict=True)))


def cache_differences(revision_ids: Sequence[int]) -> list[str]:
    """What the caches that the settings name say otherwise than the tables of these revisions."""
    checks = [cast("CacheCheck", import_string(path)) for path in settings.KB_CACHE_CHECKS]
    return [said for check in checks for said in check(revision_ids)]
