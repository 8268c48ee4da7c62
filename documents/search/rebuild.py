"""Rebuild the index beside the one in use, compare it with the truth, then switch in one step."""

from __future__ import annotations

from django.db import connection

from documents.models import IndexVersion, Revision
from documents.search import active
from documents.search.check import set_hash, truth
from documents.search.converge import prepare, write, writing
from documents.search.vectors import Progress

REBUILD_LOCK = 0x6B62_0002


class RebuildRefused(Exception):
    """The rebuild did not start or was not published; the message says why and what to do."""


def reindex(progress: Progress | None = None) -> IndexVersion:
    """Build a new version, compare counts and hash, switch, keep the previous one and drop those before it.

    Raises `RebuildRefused` when another rebuild runs or the new index does not hold what the tables say.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [REBUILD_LOCK])
        if not cursor.fetchone()[0]:
            raise RebuildRefused("another reindex is running; wait until it has finished")
    try:
        return _rebuild(progress)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [REBUILD_LOCK])


def _rebuild(progress: Progress | None) -> IndexVersion:
    engine, embedder = active.engine(), active.embedder()
    _drop(IndexVersion.objects.filter(state=IndexVersion.State.BUILDING))
    ids = list(Revision.objects.order_by("pk").values_list("pk", flat=True))
    prepare(ids, embedder, progress)
    version = active.make(engine, embedder)
    write(engine, version, ids)
    engine.finish(version.pk)
    with writing():
        # What changed while the new index was being built is brought in under the writer's lock.
        write(engine, version, list(Revision.objects.order_by("pk").values_list("pk", flat=True)))
        held, wanted = engine.held(version.pk), truth(version)
        version.entries, version.set_hash = len(held), set_hash(held)
        version.save(update_fields=["entries", "set_hash"])
        if version.set_hash != set_hash(wanted):
            raise RebuildRefused(
                f"the new index holds {len(held)} chunks and should hold {len(wanted)}; it was not published"
            )
        active.switch(version)
    _drop(IndexVersion.objects.filter(state=IndexVersion.State.DROPPED))
    return version


def _drop(versions: object) -> None:
    for version in versions:  # type: ignore[attr-defined]
        active.engine().drop(version.pk)
        version.delete()
