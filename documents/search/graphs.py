"""The indexes that make searches of vectors fast: how they are made, looked after and dropped."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper

from documents.rules.types import Corpus
from documents.search import pgvector
from documents.search.pgvector import TABLE

NEIGHBOURS, CANDIDATES = 24, 128
"""How a graph is made. With the usual 16 and 64, walked 100 wide, 80 in 100 of the ten nearest were found among 20,000
passages that lie in clouds."""
MOST_MEMORY = 700_000
"""Kilobytes that the making of a graph may take."""
FINISH_LOCK = 0x6B62_0005
"""Advisory lock of the process that makes indexes and statistics."""
logger = logging.getLogger(__name__)


def finish(version: int) -> None:
    """What makes the searches of a version fast.

    Where there is more than is ranked exactly, an index of what is filtered on, and for each corpus of that size a
    graph of its own, so that a walk meets nothing of the others. And fresh statistics, without which the planner
    mistakes how many rows pass a filter. Writing goes on meanwhile. Nothing is done while another process is at it.
    """
    with connection.cursor() as cursor, _alone(cursor) as mine:
        if not mine:
            return
        cursor.execute(
            f"SELECT corpus, count(*), min(vector_dims(vector)) FROM {TABLE} WHERE version_id = %s GROUP BY corpus",
            [version],
        )
        found = cursor.fetchall()
        if sum(rows for _corpus, rows, _dimensions in found) > pgvector.EXACT_UP_TO:
            columns = "(corpus, audience, valid_until, valid_from, standing, owned, area)"
            _make(cursor, _index(version, "filter"), f"{columns} WHERE version_id = {int(version)}")
        for corpus, rows, dimensions in found:
            if rows > pgvector.EXACT_UP_TO:
                _make_graph(cursor, version, Corpus(corpus), rows, int(dimensions))
        # Rows that no vacuum has seen have to be looked up in the table even where an index says all of them.
        verb = "ANALYZE" if connection.in_atomic_block else "VACUUM (ANALYZE)"
        cursor.execute(f"{verb} {TABLE}")
        cursor.execute("ANALYZE documents_embedding, documents_chunk")


def _make_graph(cursor: CursorWrapper, version: int, corpus: Corpus, rows: int, dimensions: int) -> None:
    # A graph that outgrows its memory while it is made takes many times as long. Of 384 dimensions a row was seen to
    # take 1,752 bytes: its vector, and links to neighbours.
    kilobytes = min(max(65_536, rows * (2 * dimensions + 1100) // 1024), MOST_MEMORY)
    name = _index(version, corpus)
    graph = (
        f"USING hnsw ((vector::halfvec({dimensions})) halfvec_cosine_ops) "
        f"WITH (m = {NEIGHBOURS}, ef_construction = {CANDIDATES}) "
        f"WHERE version_id = {int(version)} AND corpus = '{corpus}'"
    )
    with _setting(cursor, "maintenance_work_mem", f"{kilobytes}kB"):
        try:
            # A failure would end the transaction around it, if there is one.
            with _setting(cursor, "max_parallel_maintenance_workers", "0" if connection.in_atomic_block else "1"):
                _make(cursor, name, graph)
        except OperationalError:  # two processes need as much of /dev/shm, of which a container has little
            logger.info("the graph %s is made by one process", name)
            _make(cursor, name, graph)


@contextmanager
def _setting(cursor: CursorWrapper, name: str, value: str) -> Iterator[None]:
    cursor.execute("SELECT current_setting(%s)", [name])
    (usual,) = cursor.fetchone()
    cursor.execute("SELECT set_config(%s, %s, false)", [name, value])
    try:
        yield
    finally:
        if not connection.needs_rollback:
            cursor.execute("SELECT set_config(%s, %s, false)", [name, usual])


def _make(cursor: CursorWrapper, name: str, rest: str) -> None:
    """An index that is not there yet, without keeping writers waiting. One that was left half made is made anew."""
    if connection.in_atomic_block:
        cursor.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {TABLE} {rest}")
        return
    cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])
    (valid,) = cursor.fetchone() or (None,)
    if valid is False:
        cursor.execute(f"DROP INDEX {name}")
    if not valid:
        cursor.execute(f"CREATE INDEX CONCURRENTLY {name} ON {TABLE} {rest}")


@contextmanager
def _alone(cursor: CursorWrapper) -> Iterator[bool]:
    """Whether this process is the one that looks after the indexes; then it is until the block ends."""
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [FINISH_LOCK])
    (mine,) = cursor.fetchone()
    try:
        yield mine
    finally:
        if mine and not connection.needs_rollback:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [FINISH_LOCK])


def drop(version: int) -> None:
    with connection.cursor() as cursor:
        for name in ("filter", *Corpus):
            cursor.execute(f"DROP INDEX IF EXISTS {_index(version, name)}")


def _index(version: int, name: str) -> str:
    return f"documents_indexentry_{int(version)}_{name}"
