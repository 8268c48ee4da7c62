"""What a test reads from the indices that answer, and does to them behind the portal's back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from elasticsearch import Elasticsearch  # noqa: TID251 (what a test does to the cluster, no engine does)
from elasticsearch.helpers import scan  # noqa: TID251

NAMED = "kbportal"
"""The alias of the indices that answer."""
ALL = f"{NAMED}-*"


def documents(es: Elasticsearch, index: str, preference: str | None = None) -> list[dict]:
    """All of the index as it is shown; by one of its copies where `preference` names it."""
    return [dict(hit) for hit in scan(es, index=index, preference=preference)]


def write_back(es: Elasticsearch, index: str, held: Sequence[dict]) -> None:
    """Make the index hold exactly these documents. Nobody is shown them yet."""
    kept = {hit["_id"] for hit in held}
    lines: list[dict] = [
        {"delete": {"_id": hit["_id"], "routing": hit["_routing"]}}
        for hit in documents(es, index)
        if hit["_id"] not in kept
    ]
    for hit in held:
        lines += [{"index": {"_id": hit["_id"], "routing": hit["_routing"]}}, hit["_source"]]
    if lines:
        assert not es.bulk(index=index, operations=lines)["errors"]


def copies(es: Elasticsearch, index: str) -> tuple[str, str]:
    """Ids of the nodes with the primary and with the other copy of an index of one shard."""
    es.cluster.health(index=index, wait_for_status="green", timeout="60s")
    [shards] = es.search_shards(index=index)["shards"]
    [primary] = [shard["node"] for shard in shards if shard["primary"]]
    [other] = [shard["node"] for shard in shards if not shard["primary"]]
    return primary, other


def show_on(es: Elasticsearch, index: str, node: str, some: dict) -> None:
    """Let the copy on that node alone show what was written: `some` document is read there, not in real time."""
    es.get(
        index=index, id=some["_id"], routing=some["_routing"], realtime=False, refresh=True,
        preference=f"_only_nodes:{node}",
    )  # fmt: skip


def written(es: Elasticsearch) -> int:
    """Documents that were written since the node started."""
    return int(es.indices.stats(index=ALL, metric="indexing")["_all"]["primaries"]["indexing"]["index_total"])


def shown(es: Elasticsearch, revision: object) -> int:
    """Passages of the revision that a search for today finds in the indices that answer."""
    today = {"term": {"window": date.today().isoformat()}}
    query = {"bool": {"filter": [{"term": {"revision": revision}}, today]}}
    return int(es.count(index=NAMED, query=query)["count"])
