"""What is done about an index that differs from the tables, and the look that is taken at it every night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from documents import alarms
from documents.access import refresh_audience
from documents.batches import in_parts
from documents.models import Alarm, Document
from documents.search import active
from documents.search.base import Engine, Progress
from documents.search.check import BATCH, CONFIGURATION, UNREADABLE, Drift, check
from documents.search.converge import converge
from documents.search.rebuild import reindex
from documents.working import report


def repair(engine: Engine, drifts: Sequence[Drift], progress: Progress | None = None) -> None:
    """Converge what differs, written whole; a rebuild where the index as a whole can't be used any more.

    Raises `RebuildRefused`, `EngineUnavailable`, `EmbedderUnavailable`.
    """
    if {drift.kind for drift in drifts} & {CONFIGURATION, UNREADABLE}:
        reindex(progress)
        return
    changed: list[int] = []
    for part in in_parts(Document.objects.order_by("pk").iterator(BATCH), BATCH):
        changed += [document.pk for document in refresh_audience(part)]
    ids = {drift.revision_id for drift in drifts if drift.revision_id is not None}
    lagging = Document.objects.filter(pk__in=changed, revisions__isnull=False).values_list("revisions", flat=True)
    converge(sorted(ids | set(lagging)), progress, rewrite=ids)


def watch(_argument: int | None) -> None:
    """The nightly job: compare everything, and raise the alarm over what differs or clear it."""
    version = active.version()
    if version is None:
        return
    tell(check(active.engine(), version, report))


def tell(drifts: Sequence[Drift]) -> None:
    """Raise the alarm over these differences, or clear it where there are none."""
    kinds = Counter(drift.kind for drift in drifts)
    note = ", ".join(f"{kind}: {count}" for kind, count in sorted(kinds.items()))
    alarms.report(Alarm.Kind.DRIFT, note, len(drifts))
