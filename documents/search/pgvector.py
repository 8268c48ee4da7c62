"""The vector half of the embedded engine: filtered nearest neighbours in PostgreSQL.

pgvector filters after it walks its graph. So few eligible rows are ranked exactly, and many are walked iteratively
until enough of them passed the filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic

from django.db import connection
from django.db.backends.utils import CursorWrapper
from pgvector import HalfVector

from documents.search.base import Embedded, Filter, Hit, day, waited
from documents.search.widths import wide

EXACT_UP_TO = 4000
"""Rows that are ranked exactly rather than through the graph: a scan of so many takes about 3 ms."""
COUNTED_FOR, COUNTS_KEPT = 60, 2000
"""Seconds that the count of what passes a filter is kept, and how many."""
EF_SEARCH, EF_DOUBLED = 160, 60
"""How wide a small graph is walked, and how much wider each time that it doubles: 95 in 100 of the ten nearest and more
are found among 20,000 and among 200,000. `graphs.py` says how it is made."""
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
        widths = _widths(cursor, version, filters, clauses)
        asked = waited(vector)
        text, statements, params = HalfVector(asked).to_text(), [], list[Param]()
        for filter_, clause, width in zip(filters, clauses, widths, strict=True):
            sql, own = _ranked(clause, len(asked), limit, exact=width is None)
            walk = "" if width is None else _walk(width, inverted=filter_.inverted)
            statements.append(f"{walk}WITH asked AS (SELECT %s::halfvec({len(asked)}) AS vector) {sql}")
            params += [text, *own]
        # One message, and so one transaction, which the settings end with.
        cursor.execute("; ".join(statements), params)
        return [tuple(Hit(chunk_id, 1.0 - distance) for distance, chunk_id in one) for one in _results(cursor)]


def _results(cursor: CursorWrapper) -> Iterator[list[tuple[float, int]]]:
    """Of each statement that gives rows, in turn: distance and chunk, nearest first, ties by chunk id."""
    more = True
    while more:
        if cursor.description is not None:
            yield sorted((distance, chunk_id) for chunk_id, distance in cursor.fetchall())
        more = bool(cursor.nextset())


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


def _walk(width: int, *, inverted: bool) -> str:
    return (
        "SET LOCAL hnsw.iterative_scan = relaxed_order; "
        f"SET LOCAL hnsw.ef_search = {width}; "
        f"SET LOCAL hnsw.max_scan_tuples = {INVERTED_TUPLES if inverted else 'DEFAULT'}; "
    )


def _widths(
    cursor: CursorWrapper, version: int, filters: Sequence[Filter], clauses: Sequence[Clause]
) -> list[int | None]:
    """How wide the graph is walked for each list; None for one that is short enough to be ranked exactly. An inverted
    one is not counted.

    What was counted is kept for a while: it decides how fast and how exactly a list is made, never what may be on it.
    """
    now, database = monotonic(), str(connection.settings_dict["NAME"])
    widths: dict[Filter, int | None] = {filter_: INVERTED_EF for filter_ in filters if filter_.inverted}
    for one in filters:
        seen = _kept.get((database, version, one))
        if seen is not None and now - seen[0] < COUNTED_FOR:
            widths[one] = seen[1]
    unknown = {one: clause for one, clause in zip(filters, clauses, strict=True) if one not in widths}
    if unknown:
        counts = " UNION ALL ".join(
            f"SELECT {number} AS n, count(*) AS c,"
            f" (SELECT reltuples FROM pg_class WHERE oid = to_regclass('{TABLE}_{int(version)}_{one.corpus}')) AS r"
            f" FROM (SELECT 1 FROM {TABLE} WHERE {sql} LIMIT {EXACT_UP_TO + 1}) AS some{number}"
            for number, (one, (sql, _params)) in enumerate(unknown.items())
        )
        cursor.execute(counts, [p for _sql, params in unknown.values() for p in params])
        if len(_kept) > COUNTS_KEPT:
            _kept.clear()
        counted = list(unknown)
        for number, count, rows in cursor.fetchall():
            width = None if count <= EXACT_UP_TO else wide(EF_SEARCH, EF_DOUBLED, rows or 0)
            widths[counted[number]] = width
            _kept[database, version, counted[number]] = now, width
    return [widths[filter_] for filter_ in filters]


_kept: dict[tuple[str, int, Filter], tuple[float, int | None]] = {}
"""When it was counted, and the width that followed."""


def _ranked(clause: Clause, dimensions: int, limit: int, *, exact: bool) -> Clause:
    """The statement of one list: chunk ids with their distance from the vector that is `asked`."""
    sql, params = clause
    distance = f"vector::halfvec({dimensions}) <=> (SELECT asked.vector FROM asked)"
    if exact:
        # OFFSET 0 keeps the planner from reaching for the graph, which loses rows under a narrow filter.
        pool = f"(SELECT chunk_id, vector FROM {TABLE} WHERE {sql} OFFSET 0) AS pool"
        return f"SELECT chunk_id, {distance} AS d FROM {pool} ORDER BY d, chunk_id LIMIT %s", [*params, limit]
    return f"SELECT chunk_id, {distance} AS d FROM {TABLE} WHERE {sql} ORDER BY {distance} LIMIT %s", [*params, limit]
