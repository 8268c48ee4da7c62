"""The vector half of the embedded engine: filtered nearest neighbours in PostgreSQL.

pgvector filters after it walks its graph. So few eligible rows are ranked exactly, and many are walked iteratively
until enough of them passed the filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper
from pgvector import HalfVector

from documents.rules.types import Corpus
from documents.search.base import Filter, Hit, Vector, day

EXACT_UP_TO = 4000
"""Rows that are ranked exactly rather than through the graph: a scan of so many takes about 3 ms."""
NEIGHBOURS, CANDIDATES = 24, 128
EF_SEARCH = 240
"""How a graph is made, and how wide it is walked. Of 20,000 passages that lie in clouds, the usual 16, 64 and 100 found
80 in 100 of the ten nearest."""
INVERTED_TUPLES, INVERTED_EF = 2000, 80
"""How far and how wide a graph is walked for what may not be quoted: where nearly everything may be, the rest can be
very far away."""

MOST_MEMORY = 700_000
"""Kilobytes that the making of a graph may take."""

FINISH_LOCK = 0x6B62_0005
"""Advisory lock of the process that makes indexes and statistics."""
TABLE = "documents_indexentry"
Param = str | int | bool | list[str]
Clause = tuple[str, list[Param]]


def finish(version: int) -> None:
    """What makes the searches of a version fast.

    Where there is more than `EXACT_UP_TO` to rank, an index of what is filtered on, and for each corpus of that size a
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
        if sum(rows for _corpus, rows, _dimensions in found) > EXACT_UP_TO:
            columns = "(corpus, audience, valid_until, valid_from, standing, owned, area)"
            _make(cursor, _index(version, "filter"), f"{columns} WHERE version_id = {int(version)}")
        for corpus, rows, dimensions in found:
            if rows > EXACT_UP_TO:
                _make_graph(cursor, version, Corpus(corpus), rows, int(dimensions))
        # Rows that no vacuum has seen have to be looked up in the table even where an index says all of them.
        verb = "ANALYZE" if connection.in_atomic_block else "VACUUM (ANALYZE)"
        cursor.execute(f"{verb} {TABLE}")
        cursor.execute("ANALYZE documents_embedding, documents_chunk")


def _make_graph(cursor: CursorWrapper, version: int, corpus: Corpus, rows: int, dimensions: int) -> None:
    # A graph that outgrows its memory while it is made takes many times as long. Of 384 dimensions a row was seen to
    # take 1,752 bytes: its vector, and links to neighbours.
    kilobytes = min(max(65_536, rows * (2 * dimensions + 1100) // 1024), MOST_MEMORY)
    cursor.execute("SELECT current_setting('maintenance_work_mem')")
    (usual,) = cursor.fetchone()
    cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [f"{kilobytes}kB"])
    try:
        _make(
            cursor,
            _index(version, corpus),
            f"USING hnsw ((vector::halfvec({dimensions})) halfvec_cosine_ops) "
            f"WITH (m = {NEIGHBOURS}, ef_construction = {CANDIDATES}) "
            f"WHERE version_id = {int(version)} AND corpus = '{corpus}'",
        )
    finally:
        cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [usual])


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


def nearest(version: int, vector: Vector, filters: Sequence[Filter], limit: int) -> list[tuple[Hit, ...]]:
    """The `limit` nearest entries under each filter, best first; score is the cosine, ties by chunk id."""
    clauses = [where(version, filter_) for filter_ in filters]
    with connection.cursor() as cursor:
        few = _few(cursor, [None if filter_.inverted else one for one, filter_ in zip(clauses, filters, strict=True)])
        ranked = [_ranked(clause, len(vector), limit, exact=exact) for clause, exact in zip(clauses, few, strict=True)]
        lists = " UNION ALL ".join(
            f"(SELECT {number} AS n, * FROM ({sql}) AS l{number})" for number, (sql, _params) in enumerate(ranked)
        )
        # One message, and so one transaction, which the settings end with.
        settings = "" if all(few) else _walk(inverted=any(filter_.inverted for filter_ in filters))
        question = f"{settings}WITH asked AS (SELECT %s::halfvec({len(vector)}) AS vector) {lists}"
        cursor.execute(question, [HalfVector(vector).to_text(), *(p for _sql, params in ranked for p in params)])
        while cursor.description is None:
            cursor.nextset()
        found: list[list[tuple[float, int]]] = [[] for _ in clauses]
        for number, chunk_id, distance in cursor.fetchall():
            found[number].append((distance, chunk_id))
        return [tuple(Hit(chunk_id, 1.0 - distance) for distance, chunk_id in sorted(one)) for one in found]


def where(version: int, filter_: Filter) -> Clause:
    """The engine's half of the eligibility rule. Version and corpus are literals: each graph is of one of each."""
    allowed = (
        "audience = ANY(%s) AND valid_from <= %s AND valid_until > %s AND (standing = 'open' OR valid_until > %s OR %s)"
        " AND owned"
    )
    params: list[Param] = [
        sorted(filter_.audiences),
        day(filter_.on),
        day(filter_.on),
        day(filter_.today),
        filter_.reads_history,
    ]
    if filter_.inverted:
        allowed = f"NOT ({allowed})"
    sql = f"version_id = {int(version)} AND corpus = '{filter_.corpus}' AND {allowed}"
    if filter_.area is not None:
        sql += " AND area = %s"
        params.append(filter_.area)
    return sql, params


def _walk(*, inverted: bool) -> str:
    wide, far = (INVERTED_EF, INVERTED_TUPLES) if inverted else (EF_SEARCH, "DEFAULT")
    return (
        "SET LOCAL hnsw.iterative_scan = relaxed_order; "
        f"SET LOCAL hnsw.ef_search = {wide}; SET LOCAL hnsw.max_scan_tuples = {far}; "
    )


def _few(cursor: CursorWrapper, clauses: Sequence[Clause | None]) -> list[bool]:
    """Which lists are short enough to be ranked exactly. None is not counted and takes the way of the many."""
    counted = [(number, clause) for number, clause in enumerate(clauses) if clause is not None]
    few = [False for _ in clauses]
    if counted:
        counts = " UNION ALL ".join(
            f"SELECT {number} AS n, count(*) AS c FROM"
            f" (SELECT 1 FROM {TABLE} WHERE {sql} LIMIT {EXACT_UP_TO + 1}) AS some{number}"
            for number, (sql, _params) in counted
        )
        cursor.execute(counts, [p for _number, (_sql, params) in counted for p in params])
        for number, count in cursor.fetchall():
            few[number] = count <= EXACT_UP_TO
    return few


def _ranked(clause: Clause, dimensions: int, limit: int, *, exact: bool) -> Clause:
    """The statement of one list: chunk ids with their distance from the vector that is `asked`."""
    sql, params = clause
    distance = f"vector::halfvec({dimensions}) <=> (SELECT asked.vector FROM asked)"
    if exact:
        # OFFSET 0 keeps the planner from reaching for the graph, which loses rows under a narrow filter.
        pool = f"(SELECT chunk_id, vector FROM {TABLE} WHERE {sql} OFFSET 0) AS pool"
        return f"SELECT chunk_id, {distance} AS d FROM {pool} ORDER BY d, chunk_id LIMIT %s", [*params, limit]
    return f"SELECT chunk_id, {distance} AS d FROM {TABLE} WHERE {sql} ORDER BY {distance} LIMIT %s", [*params, limit]


def _index(version: int, name: str) -> str:
    return f"documents_indexentry_{int(version)}_{name}"
