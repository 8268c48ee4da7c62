"""The engine on a real Elasticsearch node: the contract, and its failures."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from documents.rules.types import Corpus
from documents.search.base import FOREVER, EngineUnavailable, Entry, Query
from documents.search.elasticsearch import Engine, queries
from documents.search.elasticsearch.answers import whole
from documents.search.elasticsearch.layout import definition, document
from documents.search.elasticsearch.names import indices_of, write_alias
from documents.search.elasticsearch.queries import MOST_TERMS
from kbportal.embedded.elasticsearch import node
from tests.documents.search.contract import (  # noqa: F401
    ASKED,
    FILTER,
    EngineContract,
    Harmed,
    ask,
    chunk_ids,
    entry,
    put,
    vectors,
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


def test_who_looks_by_name_finds_the_active_version_alone(
    engine: Engine,
    version: int,  # noqa: F811
    elasticsearch_url: str,  # noqa: F811
) -> None:
    engine.create(other := version + 1, 64)
    with cluster(elasticsearch_url) as es:
        for active in (version, other, other, version):
            engine.activate(active)
            named = es.indices.get_alias(name=engine._prefix)
            assert set(named) == set(indices_of(engine._prefix, active).values())


def test_a_lost_index_is_an_error_and_a_write_does_not_make_it_anew(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
    elasticsearch_url: str,  # noqa: F811
) -> None:
    put(engine, version, one := entry())
    lost = indices_of(engine._prefix, version)[Corpus.OFFICIAL]
    with cluster(elasticsearch_url) as es:
        es.indices.delete(index=lost)
        for asked in (engine, Engine([elasticsearch_url], prefix=engine._prefix)):
            with pytest.raises(EngineUnavailable):
                asked.search(version, ASKED, [FILTER], 5)
            with pytest.raises(EngineUnavailable):
                put(asked, version, one)
        assert not es.indices.exists(index=lost)


def test_a_write_that_is_blocked_says_so_shows_nothing_and_is_done_after_the_block(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
    elasticsearch_url: str,  # noqa: F811
) -> None:
    """What a full disk does to an index: reads go on, writes are refused until there is room."""
    put(engine, version, before := entry())
    index = indices_of(engine._prefix, version)[Corpus.OFFICIAL]
    later = entry()
    with cluster(elasticsearch_url) as es:
        for write in (
            lambda: put(engine, version, later),
            lambda: engine.refilter(version, [replace(before, owned=False)]),
        ):
            es.indices.put_settings(index=index, settings={"index.blocks.read_only_allow_delete": True})
            with pytest.raises(EngineUnavailable, match="read-only"):
                write()
        assert ask(engine, version) == {before.chunk_id}
        es.indices.put_settings(index=index, settings={"index.blocks.read_only_allow_delete": None})
    put(engine, version, later)
    assert ask(engine, version) == {before.chunk_id, later.chunk_id}


def test_half_of_a_write_is_not_shown(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
) -> None:
    """One document that is refused keeps the others of its revision from being seen."""
    good, wrong = entry(revision_id=3), entry(revision_id=3, vector=np.ones(8, dtype=np.float32))
    with pytest.raises(EngineUnavailable):
        put(engine, version, good, wrong)
    assert ask(engine, version) == set()


def test_an_answer_in_part_or_out_of_time_is_no_answer() -> None:
    hits: dict[str, object] = {"hits": {"hits": []}, "_shards": {"total": 3, "failed": 0}, "timed_out": False}
    assert whole(hits) is hits
    for harm in ({"_shards": {"total": 3, "failed": 1}}, {"timed_out": True}):
        with pytest.raises(EngineUnavailable, match="in part"):
            whole(hits | harm)
    with pytest.raises(EngineUnavailable, match="no such field"):
        whole({"error": {"type": "x", "reason": "all shards failed", "root_cause": [{"reason": "no such field"}]}})


def test_a_larger_graph_is_walked_wider(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
) -> None:
    def walked(rows: int, *, inverted: bool = False) -> int:
        asked = queries.nearest(ASKED.vector, replace(FILTER, inverted=inverted), 50, rows)
        return asked["query"]["knn"]["num_candidates"]  # type: ignore[index]

    assert [walked(rows) for rows in (0, 50_000, 100_000, 200_000)] == [102, 102, 210, 320]
    assert walked(200_000, inverted=True) == 102, "what only explains an answer is looked for no farther"
    put(engine, version, entry(), entry(), entry(corpus=Corpus.WIKI))
    official, wiki, minutes = indices_of(engine._prefix, version).values()
    assert engine._sizes_of(version) == {official: 2, wiki: 1, minutes: 0}


def test_settings_and_mapping_are_those_that_were_reviewed() -> None:
    """A change of this file is a change of every index: the layout changes with it, and `reindex` must be run."""
    made = {str(corpus): definition(corpus, 384, 1) for corpus in Corpus}
    assert made == json.loads((Path(__file__).parent / "elasticsearch_indices.json").read_text())


def test_a_wider_audience_than_one_condition_takes_is_asked_in_parts(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
) -> None:
    put(engine, version, one := entry(), entry(audience="others"))
    many = frozenset({"all", *(f"key{n}" for n in range(MOST_TERMS))})
    assert ask(engine, version, replace(FILTER, audiences=many)) == {one.chunk_id}


def test_an_index_in_many_parts_is_brought_into_one_and_left_alone_while_it_grows_a_little(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
    elasticsearch_url: str,  # noqa: F811
) -> None:
    index = indices_of(engine._prefix, version)[Corpus.OFFICIAL]
    with cluster(elasticsearch_url) as es:

        def parts() -> int:
            [[copy]] = es.indices.segments(index=index)["indices"][index]["shards"].values()
            return len(copy["segments"])

        for _ in range(4):
            put(engine, version, *(entry() for _ in range(3)))
        assert parts() > 1
        engine.finish(version)
        assert parts() == 1
        engine.activate(version)
        put(engine, version, entry())
        engine.finish(version)
        assert parts() == 2
        engine._client.write([{"_op_type": "index", "_index": write_alias(index), "_source": document(entry())}])
        engine.finish(version)
        assert engine.size(version) == 13  # what somebody is writing to the active version is not shown in between


@pytest.mark.slow
def test_the_filtered_neighbours_are_those_of_brute_force(engine: Engine, version: int) -> None:  # noqa: F811
    """Of 8,000 vectors 1, 10 and 90 in 100 are eligible: of the ten nearest, 95 in 100 are found."""
    count, dimensions = 8000, 64
    rows = np.stack(vectors(count, dimensions, 1)).astype(np.float16).astype(np.float32)
    audiences = np.random.default_rng(2).choice(["one", "nine", "most"], count, p=[0.01, 0.09, 0.9])
    entries = [
        Entry(n, n // 20, audience, 0, FOREVER, "open", True, Corpus.OFFICIAL, "a", "t", "t", row)
        for n, (audience, row) in enumerate(zip(audiences.tolist(), rows, strict=True))
    ]
    for at in range(0, count, 2000):
        part = entries[at : at + 2000]
        engine.put(version, part, {one.revision_id for one in part})
    queries = vectors(30, dimensions, 3)
    for merged in (False, True):
        if merged:
            engine.finish(version)
        for keys in ({"one"}, {"one", "nine"}, {"most"}):
            asked = replace(FILTER, audiences=frozenset(keys))
            eligible = np.flatnonzero(np.isin(audiences, sorted(keys)))
            shares = []
            for query in queries:
                cosines = rows[eligible] @ query
                nearest = set(eligible[np.argsort(-cosines)[:10]].tolist())
                [lists] = engine.search(version, Query("", query), [asked], 10)
                shares.append(len(nearest & {hit.chunk_id for hit in lists.vector}) / 10)
            assert np.mean(shares) >= 0.95, (keys, merged, np.mean(shares))
