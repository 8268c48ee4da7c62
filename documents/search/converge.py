"""Make the active index agree with the tables. Safe to run twice, and deletion is the same call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.utils import timezone

from documents.embedders.base import Embedder
from documents.models import Certainty, IndexVersion, Revision
from documents.search import active
from documents.search.base import Engine, Entry
from documents.search.entries import entries_of
from documents.search.passages import ensure_chunks
from documents.search.vectors import Progress, ensure_embeddings

WRITER_LOCK = 0x6B62_0001
"""Advisory lock of the one that writes to the index: several processes may want to, one at a time does."""


@dataclass(frozen=True, slots=True)
class Converged:
    """How many revisions were looked at, rewritten whole, and rewritten in their filter fields alone."""

    seen: int = 0
    rewritten: int = 0
    refiltered: int = 0


def converge_one(revision_id: int | None) -> None:
    """The job's door: one revision, and nothing when it is gone."""
    converge(Revision.objects.filter(pk=revision_id))


def converge_document(document_id: int | None) -> None:
    """The job's door after a change of readers, scope, owner or area: filter fields of every revision."""
    converge(Revision.objects.filter(document_id=document_id))


def converge(revisions: Iterable[Revision], progress: Progress | None = None) -> Converged:
    """Bring chunks, embeddings and the active index up to what the tables say of `revisions`.

    Without an active index it makes the first one. Raises `EngineUnavailable`, `EmbedderUnavailable`.
    """
    ids = [revision.pk for revision in revisions]
    engine, embedder = active.engine(), active.embedder()
    prepare(ids, embedder, progress)
    with writing():
        version = active.version() or active.first(engine, embedder)
        return write(engine, version, ids)


def prepare(ids: Sequence[int], embedder: Embedder, progress: Progress | None = None) -> None:
    """Chunks and embeddings, outside of any lock: the slow half."""
    rows = Revision.objects.filter(pk__in=ids).select_related("document__area").order_by("pk")
    chunks = [chunk for revision in rows.iterator(50) for chunk in ensure_chunks(revision, embedder)]
    ensure_embeddings(chunks, embedder, progress)


def write(engine: Engine, version: IndexVersion, ids: Sequence[int], batch: int = 100) -> Converged:
    """The quick half: compare what the engine holds of these revisions with the truth, and rewrite what differs."""
    rewritten = refiltered = 0
    for first in range(0, len(ids), batch):
        part = ids[first : first + batch]
        rows = Revision.objects.filter(pk__in=part).select_related("document__area")
        held = engine.held(version.pk, part)
        put: list[Entry] = []
        put_ids: list[int] = sorted({fields[0] for fields in held.values()} - {row.pk for row in rows})
        filters: list[Entry] = []
        for revision, entries in entries_of(rows, version.fingerprint):
            own = {chunk: fields for chunk, fields in held.items() if fields[0] == revision.pk}
            wanted = {entry.chunk_id: entry.filter_fields for entry in entries}
            if own.keys() != wanted.keys():
                put.extend(entries)
                put_ids.append(revision.pk)
                rewritten += 1
            elif own != wanted:
                filters.extend(entries)
                refiltered += 1
        if put_ids:
            engine.put(version.pk, put, put_ids)
        if filters:
            engine.refilter(version.pk, filters)
        _mark_published(part)
    return Converged(len(ids), rewritten, refiltered)


def _mark_published(ids: Sequence[int]) -> None:
    Revision.objects.filter(
        pk__in=ids, state=Revision.State.PUBLISHED, published_at=None
    ).update(published_at=timezone.now(), published_certainty=Certainty.EXACT)


class writing(transaction.Atomic):  # noqa: N801  (used as a context manager, like `transaction.atomic`)
    """A transaction that holds the writer's lock."""

    def __init__(self) -> None:
        super().__init__(using=None, savepoint=True, durable=False)

    def __enter__(self) -> None:
        super().__enter__()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])

