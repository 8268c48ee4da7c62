"""Rebuild the index beside the one in use, compare it with the truth, then switch in one step; and the way back.

Every step may be the last of its process. What a rebuild that died has built is gone on with when it is still what
the settings ask for, and dropped otherwise.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils import timezone

from documents import clock
from documents.access import refresh_audience
from documents.batches import in_parts
from documents.embedders.base import Embedder
from documents.models import Chunk, Document, IndexVersion, Revision
from documents.models.index import identity
from documents.rules import chunking
from documents.search import active
from documents.search.base import Engine, EngineUnavailable, Progress
from documents.search.compare import BATCH, held_summary, true_summary
from documents.search.converge import converge, embed, write, writing
from documents.search.passage_terms import ensure_terms
from documents.search.passages import Cut, ensure_chunks, of_version, plan
from documents.search.vectors import warm

REBUILD_LOCK = 0x6B62_0002
State = IndexVersion.State
logger = logging.getLogger(__name__)


class RebuildRefused(Exception):
    """The rebuild or rollback did not start or was not published; the message says why and what to do."""


def reindex(progress: Progress | None = None) -> IndexVersion:
    """Build a new version, compare counts and hash, switch, keep the previous one and drop those before it.

    `progress` hears of revisions. Raises `RebuildRefused` when another rebuild runs or the new index does not hold
    what the tables say.
    """
    with _alone():
        engine, embedder = active.engine(), active.embedder()
        _clean(engine)
        for documents in in_parts(Document.objects.order_by("pk").iterator(BATCH), BATCH):
            refresh_audience(documents)  # grants go with a deleted group or person, and nothing else tells of it
        version = _begun(engine) or active.make(engine, embedder)
        ids = _revision_ids()
        done = 0
        for part in in_parts(ids, BATCH):
            _prepare(part, embedder)
            write(engine, version, part, answering=False)
            done += len(part)
            if progress is not None:
                progress(done, len(ids))
        engine.finish(version.pk)
        _publish(engine, version, embedder)
        engine.activate(version.pk)
        _clean(engine)
    return version


def rollback(progress: Progress | None = None) -> IndexVersion:
    """Answer from the previous version again, in one step, and bring it up to date; the other one is then the previous.

    Raises `RebuildRefused` where there is none, or where this process can't read it or has not the model that made it.
    """
    with _alone():
        engine = active.engine()
        version = IndexVersion.objects.filter(state=State.PREVIOUS).order_by("-pk").first()
        if version is None:
            raise RebuildRefused("there is no previous index to return to")
        _must_be_usable(engine, version)
        with writing():
            replaced = IndexVersion.objects.filter(state=State.ACTIVE)
            # What has come since the other one took over, this one does not hold before it is up to date.
            Revision.objects.filter(published_at__gte=replaced.values("published_at")[:1]).update(published_at=None)
            replaced.update(state=State.PREVIOUS)
            version.state, version.published_at = State.ACTIVE, clock.now()
            version.save(update_fields=["state", "published_at"])
        engine.activate(version.pk)
        ids = _revision_ids()
        converge([*ids, *_strangers(engine, version, ids)], progress)
    return version


def _must_be_usable(engine: Engine, version: IndexVersion) -> None:
    if version.engine != engine.name:
        raise RebuildRefused(f"index {version} is of the engine {version.engine}, and the settings name {engine.name}")
    if version.rules != active.rules():
        raise RebuildRefused(f"index {version} was made by other rules than this release has: run `manage.py reindex`")
    try:
        embedder = active.embedder_of(version)
        engine.size(version.pk)
    except EngineUnavailable as error:
        raise RebuildRefused(f"index {version} can't be used: {error}") from error
    if embedder.dimensions != version.dimensions:
        raise RebuildRefused(
            f"index {version} has vectors of {version.dimensions} dimensions and its model gives {embedder.dimensions}"
        )


def _begun(engine: Engine) -> IndexVersion | None:
    """What a rebuild that was interrupted has built, if it is what the settings ask for today and can be read."""
    for version in IndexVersion.objects.filter(state=State.BUILDING).order_by("-pk"):
        try:
            engine.create(version.pk, version.dimensions)
            engine.size(version.pk)
        except EngineUnavailable:
            _drop(engine, version)
        else:
            return version
    return None


def _prepare(revision_ids: list[int], embedder: Embedder) -> None:
    planned = plan(revision_ids, embedder)
    warmed = warm([chunk for cut in planned.values() for chunk in cut.chunks], embedder)
    _rows(revision_ids, embedder, planned)
    ensure_terms(revision_ids)
    embed(revision_ids, embedder, chunking.POLICY_VERSION, warmed)


def _rows(revision_ids: list[int], embedder: Embedder, planned: dict[int, Cut]) -> None:
    """Chunks of today's cutting. Where the index in use holds the same, its entries change in the same step."""
    if not planned:
        return
    in_use = active.version()
    with writing():
        ensure_chunks(revision_ids, embedder, planned)
        if in_use is None or in_use.chunker != chunking.POLICY_VERSION or in_use.engine != active.engine().name:
            return
        try:
            with transaction.atomic():
                embed(revision_ids, active.embedder_of(in_use), in_use.chunker)
                write(active.engine(), in_use, revision_ids)
        except EngineUnavailable as error:
            logger.warning("the index in use can't be read, and is being made anew: %s", error)


def _publish(engine: Engine, version: IndexVersion, embedder: Embedder) -> None:
    """Bring in what changed while the index was being built, compare, and switch, under the writer's lock."""
    with writing():
        ids = _revision_ids()
        for part in in_parts(ids, BATCH):
            ensure_chunks(part, embedder)
            embed(part, embedder, version.chunker)
            write(engine, version, part)
        held, expected = held_summary(engine, version, ids), true_summary(version)
        if engine.size(version.pk) != held.chunks:
            write(engine, version, _strangers(engine, version, ids))
        version.entries, version.revisions, version.set_hash = held.chunks, held.revisions, held.hash
        version.save(update_fields=["entries", "revisions", "set_hash"])
        if held != expected or engine.size(version.pk) != expected.chunks:
            raise RebuildRefused(
                f"the new index holds {held.chunks} chunks and should hold {expected.chunks}; it was not published"
            )
        active.switch(version)


def _strangers(engine: Engine, version: IndexVersion, revision_ids: list[int]) -> list[int]:
    """Revisions that the index holds and the tables do not have any more."""
    return sorted({found.revision_id for found in engine.held(version.pk).values()}.difference(revision_ids))


def _revision_ids() -> list[int]:
    return list(Revision.objects.order_by("pk").values_list("pk", flat=True))


def _clean(engine: Engine) -> None:
    """Drop what nothing answers from any more, and the chunks of a cutting that no index holds."""
    today = identity(engine.name, active.embedder().fingerprint, active.configuration())
    unfit = IndexVersion.objects.filter(state=State.BUILDING).exclude(configuration_hash=today)
    for version in [*unfit, *IndexVersion.objects.filter(state=State.DROPPED, dropped_at=None)]:
        _drop(engine, version)
    kept = IndexVersion.objects.exclude(state=State.DROPPED).values_list("chunker", flat=True)
    versions = {chunking.POLICY_VERSION, *kept}
    unheld = Chunk.objects.order_by("pk")
    for chunker in versions:
        unheld = unheld.exclude(of_version(chunker))
    for part in in_parts(unheld.values_list("pk", flat=True).iterator(BATCH), BATCH):
        Chunk.objects.filter(pk__in=part).delete()


def _drop(engine: Engine, version: IndexVersion) -> None:
    """The row stays and tells what there was. What another engine holds waits until that one is in the settings."""
    if version.engine == engine.name:
        engine.drop(version.pk)
        version.dropped_at = timezone.now()
    version.state = State.DROPPED
    version.save(update_fields=["state", "dropped_at"])


@contextmanager
def _alone() -> Iterator[None]:
    """The session's lock of the one rebuild that runs; the database frees it when this process dies."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [REBUILD_LOCK])
        if not cursor.fetchone()[0]:
            raise RebuildRefused("another reindex is running; wait until it has finished")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [REBUILD_LOCK])
