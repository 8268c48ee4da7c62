"""What we ask of Elasticsearch, in our own words. What it can't tell, or tells in part, is `EngineUnavailable`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from documents.batches import in_parts
from documents.search.elasticsearch.answers import Copy, Refused, Row, copy_of, cut_off, scattered_of, whole
from documents.search.elasticsearch.connection import BULK, RETRIES, Address, Elasticsearch, answering, connect, write
from documents.search.elasticsearch.layout import JSON

WRITE_TIMEOUT = 60
MERGE_TIMEOUT = 3600
PAGE = 5000
KEPT_OPEN = "1m"


class Client:
    """The connection is made at the first call."""

    def __init__(self, address: Address) -> None:
        self._address = address

    @cached_property
    def _es(self) -> Elasticsearch:
        return connect(self._address)

    @cached_property
    def _writing(self) -> Elasticsearch:
        return self._es.options(request_timeout=WRITE_TIMEOUT)

    def create(self, index: str, alias: str, definition: JSON) -> None:
        """Make the index with the alias that it is written through, unless it is there."""
        with answering():
            if not self._es.indices.exists(index=index):
                body = definition | {"aliases": {alias: {}}}
                self._writing.indices.create(index=index, **body)  # type: ignore[arg-type]

    def layouts(self, indices: Sequence[str]) -> list[str | None]:
        """Under which layout each index was made; None where it does not exist."""
        with answering():
            found = self._es.indices.get_mapping(index=list(indices), ignore_unavailable=True)
            return [
                str(found[name]["mappings"].get("_meta", {}).get("layout", "")) if name in found else None
                for name in indices
            ]

    def delete(self, indices: Sequence[str]) -> None:
        with answering():
            self._writing.indices.delete(index=list(indices), ignore_unavailable=True)

    def show(self, indices: Sequence[str], alias: str, among: str) -> None:
        """Move an alias to these indices, away from any of the pattern `among`, in one step."""
        away = {"remove": {"index": among, "alias": alias, "must_exist": False}}
        with answering():
            self._writing.indices.update_aliases(actions=[away, {"add": {"indices": list(indices), "alias": alias}}])

    def shown(self, alias: str) -> set[str]:
        """The indices that the alias leads to."""
        with answering():
            if not self._es.indices.exists_alias(name=alias):
                return set()
            return set(self._es.indices.get_alias(name=alias))

    def write(self, actions: Sequence[JSON]) -> list[Refused]:
        """Many writes; nobody sees them before `refresh`. A busy node is asked again a few times, not for ever."""
        with answering():
            return write(self._writing, actions)

    def refresh(self, indices: Sequence[str]) -> None:
        """Show what was written, on every copy."""
        with answering():
            whole(self._writing.indices.refresh(index=list(indices)))

    def merge(self, indices: Sequence[str]) -> None:
        """Bring each index that lies in many parts into one, so that a search walks one graph and not each part's."""
        with answering():
            scattered = scattered_of(self._es.indices.segments(index=list(indices))["indices"])
            if scattered:
                patient = self._es.options(request_timeout=MERGE_TIMEOUT)
                whole(patient.indices.forcemerge(index=scattered, max_num_segments=1))

    def count(self, indices: Sequence[str]) -> int:
        with answering():
            return int(whole(self._es.count(index=list(indices)))["count"])

    def search(self, searches: Sequence[tuple[Sequence[str], JSON]], preference: str) -> list[list[JSON]]:
        """The hits of each (indices, body), in one call. Searches of one preference read the same copies."""
        asked: list[tuple[JSON, JSON]] = [
            (
                {
                    "index": list(indices),
                    "preference": preference,
                    "search_type": "dfs_query_then_fetch",
                    "allow_partial_search_results": False,
                },
                body | {"timeout": f"{self._address.timeout * 1000:.0f}ms"},
            )
            for indices, body in searches
        ]
        with answering():
            answers = dict(enumerate(self._answers(asked)))
            for _again in range(RETRIES):
                cut = [number for number, answer in answers.items() if cut_off(answer)]
                answers.update(zip(cut, self._answers([asked[number] for number in cut]), strict=True))
            return [whole(answer)["hits"]["hits"] for answer in answers.values()]

    def _answers(self, asked: Sequence[tuple[JSON, JSON]]) -> list[Mapping[str, Any]]:
        """Of each search (where, what) what came of it, in one call."""
        if not asked:
            return []
        return list(self._es.msearch(searches=[line for pair in asked for line in pair])["responses"])

    def counts(self, indices: Sequence[str], query: JSON, filters: Sequence[JSON]) -> list[int]:
        """How many of the query's documents pass each filter."""
        aggregation = {"counted": {"filters": {"filters": [*filters]}}}
        with answering():
            found = self._es.search(
                index=list(indices),
                query=query,
                aggregations=aggregation,
                size=0,
                track_total_hits=False,
                allow_partial_search_results=False,
            )
            return [int(bucket["doc_count"]) for bucket in whole(found)["aggregations"]["counted"]["buckets"]]

    def rows(
        self, indices: Sequence[str], query: JSON, columns: Sequence[str], preference: str | None = None
    ) -> Iterator[Row]:
        """Columns of every document of the query as they are now, whatever is written meanwhile."""
        with answering():
            opened = self._writing.open_point_in_time(
                index=list(indices), keep_alive=KEPT_OPEN, preference=preference, allow_partial_search_results=False
            )["id"]
        try:
            after: list[Any] | None = None
            while True:
                with answering():
                    page = self._writing.search(
                        pit={"id": opened, "keep_alive": KEPT_OPEN},
                        query=query,
                        docvalue_fields=[{"field": name} for name in columns],
                        source=False,
                        stored_fields="_none_",
                        sort=[{"_shard_doc": "asc"}],
                        size=PAGE,
                        search_after=after,
                        track_total_hits=False,
                    )
                    hits = whole(page)["hits"]["hits"]
                for hit in hits:
                    fields = hit.get("fields", {})
                    yield tuple(fields.get(name, (None,))[0] for name in columns)
                if len(hits) < PAGE:
                    return
                after = hits[-1]["sort"]
        finally:
            with answering():
                self._es.close_point_in_time(id=opened)

    def documents(self, indices: Sequence[str], ids: Sequence[str]) -> dict[str, JSON]:
        """Whole documents by id."""
        found: dict[str, JSON] = {}
        with answering():
            for part in in_parts(ids, BULK):
                page = self._writing.search(index=list(indices), query={"ids": {"values": part}}, size=len(part))
                for hit in whole(page)["hits"]["hits"]:
                    found[hit["_id"]] = hit["_source"]
        return found

    def copies(self, indices: Sequence[str]) -> list[Copy]:
        """Every copy of every shard that can be read now."""
        with answering():
            found = self._es.search_shards(index=list(indices))
            shards = [shard for copies in found["shards"] for shard in copies]
            return [copy_of(shard, found["nodes"]) for shard in shards if shard["state"] == "STARTED"]
