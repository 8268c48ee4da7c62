"""Each copy of an index against its primary."""

from __future__ import annotations

from collections.abc import Sequence

from documents.search.base import FilterFields, Held
from documents.search.elasticsearch.answers import Row
from documents.search.elasticsearch.client import Client
from documents.search.elasticsearch.layout import COLUMNS, JSON


def held_of(row: Row) -> tuple[int, Held]:
    """One row of `COLUMNS`."""
    chunk, *columns, vector = row
    fields: FilterFields = tuple(columns)  # type: ignore[assignment]
    return chunk, Held(fields, vector)


def compared(client: Client, indices: Sequence[str], query: JSON) -> dict[int, Held]:
    """What the primary of each shard holds, by chunk; each names the copies that lack it or say otherwise."""
    held: dict[int, Held] = {}
    copies = client.copies(indices)
    for primary in (copy for copy in copies if copy.primary):
        own = _read(client, primary.index, query, primary.preference)
        for copy in copies:
            if not copy.primary and (copy.index, copy.shard) == (primary.index, primary.shard):
                other = _read(client, copy.index, query, copy.preference)
                for chunk in own.keys() | other.keys():
                    if _facts(own.get(chunk)) != _facts(other.get(chunk)):
                        one = own.get(chunk) or other[chunk]
                        own[chunk] = Held(one.fields, one.vector, (*one.differs, copy.name))
        held |= own
    return held


def _read(client: Client, index: str, query: JSON, preference: str) -> dict[int, Held]:
    return dict(held_of(row) for row in client.rows([index], query, COLUMNS, preference))


def _facts(held: Held | None) -> tuple[FilterFields, str] | None:
    return None if held is None else (held.fields, held.vector)
