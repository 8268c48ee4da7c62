"""The engine on a real Elasticsearch node: the contract, and its failures."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from documents.rules.types import Corpus
from documents.search.elasticsearch import Engine
from documents.search.elasticsearch.names import indices_of
from kbportal.embedded.elasticsearch import node
from tests.documents.search.contract import (  # noqa: F401
    EngineContract,
    Harmed,
    chunk_ids,
    entry,
    version,
)
from tests.documents.search.nodes import cluster, elasticsearch_url, lose_shard, namespace  # noqa: F401


@pytest.fixture
def engine(elasticsearch_url: str, request: pytest.FixtureRequest) -> Iterator[Engine]:  # noqa: F811
    """One shard, as by default; two where one of them is to be lost."""
    params = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    shards = 2 if params.get("harm") == "in part" else 1
    with namespace(elasticsearch_url) as prefix:
        yield Engine([elasticsearch_url], prefix=prefix, shards=shards)


@pytest.fixture
def harmed(engine: Engine, elasticsearch_url: str) -> Harmed:  # noqa: F811
    @contextmanager
    def harm(kind: str, version: int) -> Iterator[Engine]:  # noqa: F811
        prefix = engine._prefix
        index = indices_of(prefix, version)[Corpus.OFFICIAL]
        with cluster(elasticsearch_url) as es, socket.create_server(("127.0.0.1", 0)) as deaf:
            if kind == "down":
                yield Engine([f"http://127.0.0.1:{node.free_port()}"], prefix=prefix)
            elif kind == "slow":  # it takes the call and never answers
                yield Engine([f"http://127.0.0.1:{deaf.getsockname()[1]}"], prefix=prefix, timeout=0.3)
            elif kind == "in part":
                lose_shard(es, index, 0)
                yield Engine([elasticsearch_url], prefix=prefix)
            else:
                es.indices.put_mapping(index=index, meta={"layout": "older"})
                yield Engine([elasticsearch_url], prefix=prefix)

    return harm


class TestElasticsearch(EngineContract):
    pass
