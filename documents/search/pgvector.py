"""The vector half of the embedded engine: filtered nearest neighbours in PostgreSQL.

pgvector filters after it walks its graph. So few eligible rows are ranked exactly, and many are walked iteratively
until enough of them passed the filter.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from pgvector import HalfVector

from documents.search.base import Filter, Hit, Vector, day

EXACT_UP_TO = 6000
"""Rows that are ranked exactly rather than through the graph: measured, a scan of so many takes about 3 ms."""
EF_SEARCH = 100

TABLE = "documents_indexentry"
Param = str | int | bool | list[str]
Clause = tuple[str, list[Param]]


def finish(version: int) -> None:
    """Fresh statistics, without which the planner mistakes how many rows pass a filter, and, where a search may have
    to rank more than `EXACT_UP_TO` rows, the graph of the version over its own rows."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*), min(vector_dims(vector)) FROM {TABLE} WHERE version_id = %s", [version])
        rows, dimensions = cursor.fetchone()
        if rows > EXACT_UP_TO:
            cursor.execute(
                f"CREATE INDEX IF NOT EXISTS {_index(version)} ON {TABLE} USING hnsw "
                f"((vector::halfvec({int(dimensions)})) halfvec_cosine_ops) WHERE version_id = {int(version)}"
            )
        cursor.execute(f"ANALYZE {TABLE}, documents_embedding, documents_chunk")


def drop(version: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP INDEX IF EXISTS {_index(version)}")


def nearest(version: int, vector: Vector, filters: Sequence[Filter], limit: int) -> list[tuple[Hit, ...]]:
    """The `limit` nearest entries under each filter, best first; score is the cosine, ties by chunk id."""
    clauses = [where(version, filter_) for filter_ in filters]
    with transaction.atomic(), connection.cursor() as cursor:
        few = _few(cursor, clauses)
        if not all(few):
            cursor.execute(f"SET LOCAL hnsw.iterative_scan = relaxed_order; SET LOCAL hnsw.ef_search = {EF_SEARCH}")
        ranked = [_ranked(clause, vector, limit, exact=exact) for clause, exact in zip(clauses, few, strict=True)]
        lists = " UNION ALL ".join(
            f"(SELECT {number} AS n, * FROM ({sql}) AS l{number})" for number, (sql, _params) in enumerate(ranked)
        )
        cursor.execute(lists, [p for _sql, params in ranked for p in params])
        found: list[list[tuple[float, int]]] = [[] for _ in clauses]
        for number, chunk_id, distance in cursor.fetchall():
            found[number].append((distance, chunk_id))
        return [tuple(Hit(chunk_id, 1.0 - distance) for distance, chunk_id in sorted(one)) for one in found]


def where(version: int, filter_: Filter) -> Clause:
    """The engine's half of the eligibility rule. The version is a literal: the graph of a version is partial."""
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
    sql = f"version_id = {int(version)} AND corpus = %s AND {allowed}"
    params.insert(0, str(filter_.corpus))
    if filter_.area is not None:
        sql += " AND area = %s"
        params.append(filter_.area)
    return sql, params


def _few(cursor: CursorWrapper, clauses: Sequence[Clause]) -> list[bool]:
    counts = " UNION ALL ".join(
        f"SELECT {number} AS n, count(*) AS c FROM"
        f" (SELECT 1 FROM {TABLE} WHERE {sql} LIMIT {EXACT_UP_TO + 1}) AS some{number}"
        for number, (sql, _params) in enumerate(clauses)
    )
    cursor.execute(f"{counts} ORDER BY n", [p for _sql, params in clauses for p in params])
    return [count <= EXACT_UP_TO for _number, count in cursor.fetchall()]


def _ranked(clause: Clause, vector: Vector, limit: int, *, exact: bool) -> Clause:
    """The statement of one list: chunk ids with their distance."""
    sql, params = clause
    size = len(vector)
    distance = f"vector::halfvec({size}) <=> %s::halfvec({size})"
    query = HalfVector(vector).to_text()
    source = f"(SELECT chunk_id, vector FROM {TABLE} WHERE {sql}"
    if exact:
        # OFFSET 0 keeps the planner from reaching for the graph, which loses rows under a narrow filter.
        statement = f"SELECT chunk_id, {distance} AS d FROM {source} OFFSET 0) AS pool ORDER BY d, chunk_id LIMIT %s"
        return statement, [query, *params, limit]
    statement = f"SELECT chunk_id, {distance} AS d FROM {TABLE} WHERE {sql} ORDER BY {distance} LIMIT %s"
    return statement, [query, *params, query, limit]


def _index(version: int) -> str:
    return f"documents_indexentry_hnsw_{int(version)}"
