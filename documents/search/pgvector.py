"""The vector half of the embedded engine: filtered nearest neighbours in PostgreSQL.

pgvector filters after it walks its graph. So few eligible rows are ranked exactly, and many are walked iteratively
until enough of them passed the filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from django.db import connection
from django.db.backends.utils import CursorWrapper
from pgvector import HalfVector

from documents.search.base import Embedded, Filter, Hit, day, waited

EXACT_UP_TO = 4000
"""Rows that are ranked exactly rather than through the graph: a scan of so many takes about 3 ms."""
COUNTED_FOR, COUNTS_KEPT = 60, 2000
"""Seconds that the count of what passes a filter is kept, and how many."""
EF_SEARCH = 240
"""How wide a graph is walked; `graphs.py` says how it is made."""
INVERTED_TUPLES, INVERTED_EF = 2000, 80
"""How far and how wide a graph is walked for what may not be quoted: where nearly everything may be, the rest can be
very far away."""

TABLE = "documents_indexentry"
Param = str | int | bool | list[str]
Clause = tuple[str, list[Param]]


def nearest(version: int, vector: Embedded, filters: Sequence[Filter], limit: int) -> list[tuple[Hit, ...]]:
    """The `limit` nearest entries under each filter, best first; score is the cosine, ties by chunk id."""
    clauses = [where(version, filter_) for filter_ in filters]
    with connection.cursor() as cursor:
        few = _few(cursor, version, filters, clauses)
        asked = waited(vector)
        ranked = [_ranked(clause, len(asked), limit, exact=exact) for clause, exact in zip(clauses, few, strict=True)]
        lists = " UNION ALL ".join(
            f"(SELECT {number} AS n, * FROM ({sql}) AS l{number})" for number, (sql, _params) in enumerate(ranked)
        )
        # One message, and so one transaction, which the settings end with.
        settings = "" if all(few) else _walk(inverted=any(filter_.inverted for filter_ in filters))
        question = f"{settings}WITH asked AS (SELECT %s::halfvec({len(asked)}) AS vector) {lists}"
        cursor.execute(question, [HalfVector(asked).to_text(), *(p for _sql, params in ranked for p in params)])
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


def _few(cursor: CursorWrapper, version: int, filters: Sequence[Filter], clauses: Sequence[Clause]) -> list[bool]:
    """Which lists are short enough to be ranked exactly. An inverted one takes the way of the many, uncounted.

    A count is kept for a while: it decides how fast and how exactly a list is made, never what may be on it.
    """
    now = monotonic()
    few = {filter_: False for filter_ in filters if filter_.inverted}
    few |= {one: kept[1] for one in filters if (kept := _counted.get((version, one))) and now - kept[0] < COUNTED_FOR}
    unknown = {one: clause for one, clause in zip(filters, clauses, strict=True) if one not in few}
    if unknown:
        counts = " UNION ALL ".join(
            f"SELECT {number} AS n, count(*) AS c FROM"
            f" (SELECT 1 FROM {TABLE} WHERE {sql} LIMIT {EXACT_UP_TO + 1}) AS some{number}"
            for number, (sql, _params) in enumerate(unknown.values())
        )
        cursor.execute(counts, [p for _sql, params in unknown.values() for p in params])
        if len(_counted) > COUNTS_KEPT:
            _counted.clear()
        counted = list(unknown)
        for number, count in cursor.fetchall():
            few[counted[number]] = count <= EXACT_UP_TO
            _counted[version, counted[number]] = now, count <= EXACT_UP_TO
    return [few[filter_] for filter_ in filters]


_counted: dict[tuple[int, Filter], tuple[float, bool]] = {}
"""When it was counted, and whether it was few."""


def _ranked(clause: Clause, dimensions: int, limit: int, *, exact: bool) -> Clause:
    """The statement of one list: chunk ids with their distance from the vector that is `asked`."""
    sql, params = clause
    distance = f"vector::halfvec({dimensions}) <=> (SELECT asked.vector FROM asked)"
    if exact:
        # OFFSET 0 keeps the planner from reaching for the graph, which loses rows under a narrow filter.
        pool = f"(SELECT chunk_id, vector FROM {TABLE} WHERE {sql} OFFSET 0) AS pool"
        return f"SELECT chunk_id, {distance} AS d FROM {pool} ORDER BY d, chunk_id LIMIT %s", [*params, limit]
    return f"SELECT chunk_id, {distance} AS d FROM {TABLE} WHERE {sql} ORDER BY {distance} LIMIT %s", [*params, limit]
