"""Make the active index agree with the tables. Safe to run twice, and deletion is the same call.

A text is cut and its vectors are made before anything of it is visible; then, under the writer's lock, its chunks
and its entries change in one step. So a question sees all of a revision or what was there before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import connection, transaction
from django.db.models.functions import Now

from documents.batches import in_parts
from documents.embedders.base import Embedder
from documents.models import Certainty, IndexVersion, Revision
from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.search import active, arrival
from documents.search.base import Engine, Progress
from documents.search.entries import entries_of, indexable, vector_fingerprints, wanted
from documents.search.passages import ensure_chunks, held_cut, plan
from documents.search.vectors import Warm, ensure_embeddings, warm

WRITER_LOCK = 0x6B62_0001
"""Advisory lock of the one that writes to the index: several processes may want to, one at a time does."""
BATCH = 100
"""Revisions that become visible together. Between two batches whoever waits for the lock gets it: a person's change
does not wait behind an import."""
REFRESH_EVERY = 2000
"""Chunks by which an index grows before its statistics and its graph are looked after again."""


@dataclass(frozen=True, slots=True)
class Converged:
    """How many revisions were looked at, rewritten whole, and rewritten in their filter fields alone."""

    seen: int = 0
    rewritten: int = 0
    refiltered: int = 0

    def __add__(self, other: Converged) -> Converged:
        return Converged(self.seen + other.seen, self.rewritten + other.rewritten, self.refiltered + other.refiltered)


def converge_one(revision_id: int | None) -> None:
    """The job's door: one revision. One that is gone leaves the index."""
    if revision_id is not None:
        converge([revision_id])


def converge(
    revision_ids: Iterable[int], progress: Progress | None = None, *, rewrite: Collection[int] = frozenset()
) -> Converged:
    """Bring chunks, embeddings and the active index up to what the tables say of these revisions.

    Those in `rewrite` are written whole, whatever the engine says that it holds. Without an active index it makes the
    first one. `progress` hears of revisions. Raises `EngineUnavailable`, `EmbedderUnavailable`.
    """
    ids = list(revision_ids)
    engine, done = active.engine(), Converged()
    before = active.version()
    for part in in_parts(ids, BATCH) if ids else [[]]:
        done += _converge(engine, part, rewrite)
        if progress is not None:
            progress(done.seen, len(ids))
    arrival.settle(engine, ids)
    _look_after(engine, before.entries if before is not None else 0)
    return done


def _look_after(engine: Engine, before: int) -> None:
    """Once for all that a call has brought: in a graph that is there already, each passage takes five times as long."""
    version = active.version()
    if version is not None and version.entries // REFRESH_EVERY > before // REFRESH_EVERY:
        engine.finish(version.pk)


def _converge(engine: Engine, revision_ids: Sequence[int], rewrite: Collection[int]) -> Converged:
    version = active.version()
    embedder = active.embedder_of(version) if version is not None else active.embedder()
    planned = plan(revision_ids, embedder)
    warmed = warm([chunk for cut in planned.values() for chunk in cut.chunks], embedder)
    with writing():
        version = active.version() or active.first(engine, embedder)
        ensure_chunks(revision_ids, embedder, planned)
        embed(revision_ids, embedder, version.chunker, warmed)
        done = write(engine, version, revision_ids, rewrite)
        if done.rewritten:
            version.entries = engine.size(version.pk)
            version.save(update_fields=["entries"])
    return done


def embed(revision_ids: Sequence[int], embedder: Embedder, chunker: str, warmed: Warm | None = None) -> None:
    """Vectors for the chunks that an index of this version of the cutting holds of these revisions."""
    chunks = [chunk for own in held_cut(revision_ids, chunker).values() for chunk in own]
    ensure_embeddings(chunks, embedder, warmed)


def write(
    engine: Engine,
    version: IndexVersion,
    revision_ids: Sequence[int],
    rewrite: Collection[int] = frozenset(),
    *,
    answering: bool = True,
) -> Converged:
    """The quick half: compare what the engine holds of these revisions with the truth, and rewrite what differs.

    What was published counts in answers from the commit on, unless the version is not `answering` by then.
    """
    done = Converged()
    for part in in_parts(revision_ids, BATCH):
        difference = _compare(engine, version, part, rewrite)
        if difference.rewrite or difference.gone:
            entries = entries_of(difference.rewrite, version)
            engine.put(version.pk, entries, [*(row.pk for row in difference.rewrite), *difference.gone])
        if difference.refilter:
            engine.refilter(version.pk, entries_of(difference.refilter, version, vectors=False))
        if answering:
            _mark_published(difference.seen)
        done += Converged(len(part), len(difference.rewrite), len(difference.refilter))
    return done


@dataclass(slots=True)
class _Difference:
    """Revisions by what the index needs; `gone` are ids that the tables no longer have."""

    seen: list[Revision] = field(default_factory=list)
    rewrite: list[Revision] = field(default_factory=list)
    refilter: list[Revision] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)


def _compare(
    engine: Engine, version: IndexVersion, revision_ids: Sequence[int], rewrite: Collection[int]
) -> _Difference:
    difference = _Difference()
    held = engine.held(version.pk, revision_ids)
    vectors = vector_fingerprints(version, list(held))
    by_revision: dict[int, set[int]] = {}
    for chunk, found in held.items():
        by_revision.setdefault(found.revision_id, set()).add(chunk)
    for revision, chunks in wanted(indexable().filter(pk__in=revision_ids), version):
        difference.seen.append(revision)
        own = by_revision.pop(revision.pk, set())
        sound = all(held[chunk].whole and held[chunk].vector == vectors.get(chunk) for chunk in own)
        if own != chunks.keys() or revision.pk in rewrite or not sound:
            difference.rewrite.append(revision)
        elif any(held[chunk].fields != fields for chunk, fields in chunks.items()):
            difference.refilter.append(revision)
    difference.gone = sorted(by_revision)
    return difference


def _mark_published(revisions: Sequence[Revision]) -> None:
    """The index holds all of these as they were read; one that has moved since is left to its own job."""
    for state in ONCE_PUBLISHED:
        ids = [revision.pk for revision in revisions if revision.state == state]
        rows = Revision.objects.filter(pk__in=ids, state=state, published_at=None)
        rows.update(published_at=Now(), published_certainty=Certainty.EXACT)


@contextmanager
def writing() -> Iterator[None]:
    """A transaction that holds the writer's lock."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITER_LOCK])
        yield
