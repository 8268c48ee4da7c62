"""Make the active index agree with the tables. Safe to run twice, and deletion is the same call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.utils import timezone

from documents.batches import in_parts
from documents.embedders.base import Embedder
from documents.models import Certainty, IndexVersion, Revision
from documents.search import active
from documents.search.base import Engine
from documents.search.entries import entries_of, indexable, wanted
from documents.search.passages import ensure_chunks
from documents.search.vectors import Progress, ensure_embeddings

WRITER_LOCK = 0x6B62_0001
"""Advisory lock of the one that writes to the index: several processes may want to, one at a time does."""
BATCH = 200
"""Revisions that become visible together."""
REFRESH_EVERY = 2000
"""Chunks by which an index grows before its statistics and its graph are looked after again."""


@dataclass(frozen=True, slots=True)
class Converged:
    """How many revisions were looked at, rewritten whole, and rewritten in their filter fields alone."""

    seen: int = 0
    rewritten: int = 0
    refiltered: int = 0


def converge_one(revision_id: int | None) -> None:
    """The job's door: one revision. One that is gone leaves the index."""
    if revision_id is not None:
        converge([revision_id])


def converge(revision_ids: Iterable[int], progress: Progress | None = None) -> Converged:
    """Bring chunks, embeddings and the active index up to what the tables say of these revisions.

    Without an active index it makes the first one. Raises `EngineUnavailable`, `EmbedderUnavailable`.
    """
    ids = list(revision_ids)
    engine, embedder = active.engine(), active.embedder()
    prepare(ids, embedder, progress)
    with writing():
        version = active.version() or active.first(engine, embedder)
        before = version.entries
        done = write(engine, version, ids)
        if done.rewritten:
            version.entries = engine.size(version.pk)
            version.save(update_fields=["entries"])
    if version.entries // REFRESH_EVERY != before // REFRESH_EVERY:
        engine.finish(version.pk)
    return done


def prepare(revision_ids: Sequence[int], embedder: Embedder, progress: Progress | None = None) -> None:
    """Chunks and embeddings, outside of the writer's lock: the slow half."""
    ensure_chunks(revision_ids, embedder)
    ensure_embeddings(revision_ids, embedder, progress)


def write(engine: Engine, version: IndexVersion, revision_ids: Sequence[int]) -> Converged:
    """The quick half: compare what the engine holds of these revisions with the truth, and rewrite what differs."""
    rewritten = refiltered = 0
    for part in in_parts(revision_ids, BATCH):
        difference = _compare(engine, version, part)
        if difference.rewrite or difference.gone:
            entries = entries_of(difference.rewrite, version.fingerprint)
            engine.put(version.pk, entries, [*(row.pk for row in difference.rewrite), *difference.gone])
        if difference.refilter:
            engine.refilter(version.pk, entries_of(difference.refilter, version.fingerprint, vectors=False))
        _mark_published(part)
        rewritten += len(difference.rewrite)
        refiltered += len(difference.refilter)
    return Converged(len(revision_ids), rewritten, refiltered)


@dataclass(slots=True)
class _Difference:
    """Revisions by what the index needs; `gone` are ids that the tables no longer have."""

    rewrite: list[Revision] = field(default_factory=list)
    refilter: list[Revision] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)


def _compare(engine: Engine, version: IndexVersion, revision_ids: Sequence[int]) -> _Difference:
    difference = _Difference()
    held = engine.held(version.pk, revision_ids)
    by_revision: dict[int, set[int]] = {}
    for chunk, found in held.items():
        by_revision.setdefault(found.revision_id, set()).add(chunk)
    for revision, chunks in wanted(indexable().filter(pk__in=revision_ids), version.fingerprint):
        own = by_revision.pop(revision.pk, set())
        if own != chunks.keys() or not all(held[chunk].whole for chunk in own):
            difference.rewrite.append(revision)
        elif any(held[chunk].fields != fields for chunk, fields in chunks.items()):
            difference.refilter.append(revision)
    difference.gone = sorted(by_revision)
    return difference


def _mark_published(revision_ids: Sequence[int]) -> None:
    rows = Revision.objects.filter(pk__in=revision_ids, state=Revision.State.PUBLISHED, published_at=None)
    rows.update(published_at=timezone.now(), published_certainty=Certainty.EXACT)


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that holds the writer's lock."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        yield
