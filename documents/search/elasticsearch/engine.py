"""Elasticsearch behind `documents.search.base.Engine`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import monotonic
from zlib import crc32

from documents.search.base import (
    EngineUnavailable,
    Entry,
    Filter,
    Held,
    Hit,
    IndexOutdated,
    Lists,
    Query,
    waited,
)
from documents.search.elasticsearch import queries, writing
from documents.search.elasticsearch.client import Client
from documents.search.elasticsearch.connection import Address
from documents.search.elasticsearch.copies import compared, held_of
from documents.search.elasticsearch.layout import COLUMNS, JSON, LAYOUT, definition
from documents.search.elasticsearch.names import Indices, indices_of, write_alias

SIZES_KEPT = 60.0
"""Seconds for which the sizes of the indices are kept."""


class Engine:
    """One index for each corpus of a version, `<prefix>-<version>-<corpus>`, written through an alias of its own, so
    that a lost index is an error and never made anew by a write.

    Nothing that is written is seen before the one refresh at the end of a call: a search finds a revision whole or
    not at all. The documents of a revision lie in one shard.
    """

    name = "elasticsearch"
    layout = LAYOUT

    def __init__(
        self,
        hosts: Sequence[str] = ("http://127.0.0.1:9200",),
        *,
        api_key: str | None = None,
        ca_certs: str | None = None,
        prefix: str = "kbportal",
        shards: int = 1,
        timeout: float = 10,
    ) -> None:
        self._client = Client(Address(tuple(hosts), api_key, ca_certs, timeout))
        self._prefix, self._shards = prefix, shards
        self._known: set[int] = set()
        self._sizes: dict[int, tuple[float, dict[str, int]]] = {}

    def create(self, version: int, dimensions: int) -> None:
        for corpus, index in indices_of(self._prefix, version).items():
            self._client.create(index, write_alias(index), definition(corpus, dimensions, self._shards))

    def put(self, version: int, entries: Sequence[Entry], revisions: Iterable[int]) -> None:
        indices = self._opened(version)
        writing.replace(self._client, indices, entries, list(revisions))
        self._client.refresh([*indices.values()])

    def refilter(self, version: int, entries: Sequence[Entry]) -> None:
        indices = self._opened(version)
        writing.refilter(self._client, indices, entries)
        self._client.refresh([*indices.values()])

    def finish(self, version: int) -> None:
        """The merged parts are shown at once where nobody else writes: to a version that does not answer yet. To one
        that does, somebody may be writing a text now, and the refresh at its end shows them as well.
        """
        indices = self._names(version)
        self._client.merge(indices)
        if self._client.shown(self._prefix).isdisjoint(indices):
            self._client.refresh(indices)

    def activate(self, version: int) -> None:
        self._client.show(self._names(version), self._prefix, f"{self._prefix}-*")

    def search(self, version: int, query: Query, filters: Sequence[Filter], limit: int) -> list[Lists]:
        asked = [filter_ for filter_ in filters if limit > 0 and (filter_.audiences or filter_.inverted)]
        if not asked:
            return [Lists((), ())] * len(filters)
        indices = self._opened(version)
        rank = queries.ranking(query.text)
        sizes = self._sizes_of(version) if query.vector is not None else {}
        vector = waited(query.vector) if query.vector is not None else None
        if vector is not None and not vector.any():
            vector = None
        searches: list[tuple[Sequence[str], JSON]] = []
        for filter_ in asked:
            index = [indices[filter_.corpus]]
            if rank is not None:
                searches.append((index, queries.lexical(rank, queries.allowed(filter_), limit)))
            if vector is not None:
                searches.append((index, queries.nearest(vector, filter_, limit, sizes[index[0]])))
        answers = iter(self._client.search(searches, _preference(query.text)))
        lists = {
            filter_: Lists(
                _ranked(next(answers)) if rank is not None else (),
                _near(next(answers), limit) if vector is not None else (),
            )
            for filter_ in dict.fromkeys(asked)
        }
        return [lists.get(filter_, Lists((), ())) for filter_ in filters]

    def lexical_scores(self, version: int, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        rank = queries.ranking(text)
        if rank is None or not chunk_ids:
            return {}
        body = queries.lexical(rank, queries.any_of("chunk", list(chunk_ids)), len(chunk_ids))
        [hits] = self._client.search([(self._names(version), body)], _preference(text))
        return {hit.chunk_id: hit.score for hit in _ranked(hits)}

    def document_frequency(self, version: int, terms: Sequence[str]) -> dict[str, int]:
        return self._counts(version, {"match_all": {}}, terms)

    def known(self, version: int, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        asked = [queries.allowed(filter_) for filter_ in filters if filter_.audiences or filter_.inverted]
        if not asked:
            return frozenset()
        return frozenset(term for term, count in self._counts(version, queries.either(asked), terms).items() if count)

    def size(self, version: int) -> int:
        return self._client.count(self._names(version))

    def held(
        self, version: int, revisions: Sequence[int] | None = None, *, every_copy: bool = False
    ) -> dict[int, Held]:
        if revisions is not None and not revisions:
            return {}
        indices = self._names(version)
        query: JSON = {"match_all": {}} if revisions is None else queries.of_revisions(revisions)
        if every_copy:
            return compared(self._client, indices, query)
        return dict(held_of(row) for row in self._client.rows(indices, query, COLUMNS))

    def drop(self, version: int) -> None:
        self._known.discard(version)
        self._sizes.pop(version, None)
        self._client.delete([*indices_of(self._prefix, version).values()])

    def _counts(self, version: int, query: JSON, terms: Sequence[str]) -> dict[str, int]:
        if not terms:
            return {}
        counts = self._client.counts(self._names(version), query, [queries.holds(term) for term in terms])
        return dict(zip(terms, counts, strict=True))

    def _sizes_of(self, version: int) -> dict[str, int]:
        """Of each index the documents in one shard, kept for a while: they decide how wide a graph is walked."""
        now = monotonic()
        counted, sizes = self._sizes.get(version, (-SIZES_KEPT, {}))
        if now - counted >= SIZES_KEPT:
            sizes = {index: self._client.count([index]) // self._shards for index in self._names(version)}
            self._sizes[version] = now, sizes
        return sizes

    def _names(self, version: int) -> list[str]:
        return [*self._opened(version).values()]

    def _opened(self, version: int) -> Indices:
        """The indices of a version, of which this process has seen that they are there and of our layout."""
        indices = indices_of(self._prefix, version)
        if version not in self._known:
            for index, layout in zip(indices.values(), self._client.layouts([*indices.values()]), strict=True):
                if layout is None:
                    raise EngineUnavailable(f"there is no index {index}: run `manage.py reindex`")
                if layout != LAYOUT:
                    raise IndexOutdated(f"the index {index} was made by another version: run `manage.py reindex`")
            self._known.add(version)
        return indices


def _preference(text: str) -> str:
    """One question is asked of the same copies each time: two copies may count words that were deleted differently."""
    return f"q{crc32(text.encode())}"


def _ranked(hits: Sequence[JSON]) -> tuple[Hit, ...]:
    pairs: list[list[float]] = [hit["sort"] for hit in hits]  # type: ignore[misc]
    return tuple(Hit(int(chunk), float(score)) for score, chunk in pairs)


def _near(hits: Sequence[JSON], limit: int) -> tuple[Hit, ...]:
    """Elasticsearch scores a cosine as (1 + cosine) / 2."""
    found = [Hit(int(hit["fields"]["chunk"][0]), 2 * float(hit["_score"]) - 1) for hit in hits]  # type: ignore[index,arg-type]
    return tuple(sorted(found, key=lambda hit: (-round(hit.score, 5), hit.chunk_id))[:limit])
