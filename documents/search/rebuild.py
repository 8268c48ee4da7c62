"""Rebuild the index beside the one in use, compare it with the truth, then switch in one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from documents.access import refresh_audience
from documents.batches import in_parts
from documents.models import Document, IndexVersion, Revision
from documents.search import active
from documents.search.base import Engine
from documents.search.check import BATCH, held_whole, set_hash, truth
from documents.search.converge import prepare, write, writing
from documents.search.vectors import Progress

REBUILD_LOCK = 0x6B62_0002
UNUSED = (IndexVersion.State.BUILDING, IndexVersion.State.DROPPED)


class RebuildRefused(Exception):
    """The rebuild did not start or was not published; the message says why and what to do."""


def reindex(progress: Progress | None = None) -> IndexVersion:
    """Build a new version, compare counts and hash, switch, keep the previous one and drop those before it.

    Raises `RebuildRefused` when another rebuild runs or the new index does not hold what the tables say. What an
    interrupted rebuild left behind is dropped by the next one.
    """
    with _alone():
        engine, embedder = active.engine(), active.embedder()
        _drop_unused(engine)
        for part in in_parts(Document.objects.order_by("pk").iterator(BATCH), BATCH):
            refresh_audience(part)  # grants go with a deleted group or person, and nothing else tells of it
        prepare(_revision_ids(), embedder, progress)
        version = active.make(engine, embedder)
        write(engine, version, _revision_ids())
        engine.finish(version.pk)
        _publish(engine, version)
        _drop_unused(engine)
    return version


def _publish(engine: Engine, version: IndexVersion) -> None:
    """Bring in what changed while the index was being built, compare, and switch, under the writer's lock."""
    with writing():
        gone = {found.revision_id for found in engine.held(version.pk).values()}
        write(engine, version, sorted({*_revision_ids(), *gone}))
        held, expected = held_whole(engine, version), truth(version)
        version.entries, version.set_hash = len(held), set_hash(held)
        version.save(update_fields=["entries", "set_hash"])
        if version.set_hash != set_hash(expected):
            raise RebuildRefused(
                f"the new index holds {len(held)} chunks and should hold {len(expected)}; it was not published"
            )
        active.switch(version)


def _revision_ids() -> list[int]:
    return list(Revision.objects.order_by("pk").values_list("pk", flat=True))


def _drop_unused(engine: Engine) -> None:
    for version in IndexVersion.objects.filter(state__in=UNUSED):
        engine.drop(version.pk)
        version.delete()


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
