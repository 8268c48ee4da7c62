"""Many rows with vectors, into a table and out of it, in binary: as text they take ten times as long, on both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection

from documents.batches import in_parts

ROWS = 1000
"""Rows in one message."""


def select(statement: str, params: Sequence[object]) -> list[tuple[Any, ...]]:
    """All rows; parameters are `%b`, so that a list of thousands is one of them."""
    with _cursor() as cursor:
        return cursor.execute(statement.encode(), params).fetchall()


def insert_new(table: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
    """Insert the rows whose key the table lacks. `columns` are the names with their types, in the order of a row."""
    arrays = ", ".join(f"%b::{kind}[]" for kind in columns.values())
    insert = f"INSERT INTO {table} ({', '.join(columns)}) SELECT * FROM unnest({arrays}) ON CONFLICT DO NOTHING"
    for part in in_parts(rows, ROWS):
        with _cursor() as cursor:
            cursor.execute(insert.encode(), [list(column) for column in zip(*part, strict=True)])


def copy(table: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
    """Append the rows, of which none may be there. A `bytea` is taken as the column's type is sent."""
    statement = f"COPY {table} ({', '.join(columns)}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as target:
        target.set_types(list(columns.values()))
        for row in rows:
            target.write_row(row)


@contextmanager
def _cursor() -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    """Django's own cursors write parameters into the statement; this one sends them beside it, and reads in binary."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.format = psycopg.pq.Format.BINARY
        yield cursor
