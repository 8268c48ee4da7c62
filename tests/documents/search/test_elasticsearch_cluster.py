"""Three real nodes, each index on two of them: one is killed and nobody who asks notices."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from documents.rules.types import Corpus
from documents.search.base import Entry, Held
from documents.search.elasticsearch import Engine
from documents.search.elasticsearch.layout import document
from documents.search.elasticsearch.names import write_alias
from kbportal.embedded.elasticsearch import node
from tests.documents.search.contract import ask, chunk_ids, entry, prober, put, version  # noqa: F401
from tests.documents.search.nodes import cluster, home

pytestmark = pytest.mark.slow


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.places = [node.Place(f"n{n}", folder, node.free_port(), node.free_port()) for n in range(3)]
        self.processes = {place.name: node.start(home(), place, self.places) for place in self.places}
        for place in self.places:
            node.wait(self.processes[place.name], place, nodes=3)

    def kill(self, name: str) -> None:
        """SIGKILL, as `kill -9` or the end of memory does it."""
        self.processes[name].kill()
        self.processes[name].wait()

    def settle(self, status: str = "green") -> None:
        [alive, *_] = [place for place in self.places if self.processes[place.name].poll() is None]
        with cluster(alive.url) as es:
            es.options(request_timeout=90).cluster.health(wait_for_status=status, timeout="80s")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="kbportal-es-"))
    started = Cluster(folder)
    try:
        yield started
    finally:
        for name in started.processes:
            started.kill(name)
        shutil.rmtree(folder)


@pytest.fixture
def engine(nodes: Cluster) -> Engine:
    return Engine([place.url for place in nodes.places], prefix=f"test-{uuid4().hex[:8]}")


@pytest.mark.django_db
def test_a_copy_that_lags_is_named(
    nodes: Cluster,
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
) -> None:
    put(engine, version, first := entry(), second := entry())
    nodes.settle()
    indices = engine._opened(version)
    stale = next(copy for copy in engine._client.copies([indices[Corpus.OFFICIAL]]) if not copy.primary)
    index, routing = indices[Corpus.OFFICIAL], str(first.revision_id)
    older = document(replace(first, owned=False))
    action = {"_op_type": "index", "_index": write_alias(index), "_id": str(first.chunk_id), "routing": routing}
    assert engine._client.write([action | {"_source": older}]) == []
    with cluster(nodes.places[0].url) as es:  # what was written is shown by that copy, and not yet by the other
        there = f"_only_nodes:{stale.preference.rpartition(':')[2]}"
        es.get(index=index, id=str(first.chunk_id), routing=routing, realtime=False, refresh=True, preference=there)
    held = engine.held(version, every_copy=True)
    assert {chunk: one.differs for chunk, one in held.items()} == {
        first.chunk_id: (stale.name,),
        second.chunk_id: (),
    }
    assert held[first.chunk_id].fields == first.filter_fields
    assert all(one.whole for one in engine.held(version).values())


@pytest.mark.django_db(transaction=True)
def test_a_killed_node_loses_no_read_and_each_copy_can_be_checked(
    nodes: Cluster,
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
) -> None:
    entries = [entry() for _ in range(60)]
    put(engine, version, *entries)
    indices = engine._names(version)
    with cluster(nodes.places[0].url) as es:  # a lost copy is made anew at once, so that the test need not wait
        es.indices.put_settings(index="*", settings={"index.unassigned.node_left.delayed_timeout": "0s"})
    nodes.settle()
    copies = engine._client.copies(indices)
    assert sorted(copy.index for copy in copies) == sorted(indices * 2)
    assert whole(engine, version) == {one.chunk_id: one.filter_fields for one in entries}

    struck = next(copy for copy in copies if copy.primary and "official" in copy.index).name.split(" on ")[1]
    with prober(engine, version, limit=100) as seen:
        wait_for(seen, 40)
        nodes.kill(struck)
        wait_for(seen, len(seen) + 100)
        put(engine, version, late := entry("férias do empregado", audience="rh"))
    assert {frozenset(chunks) for chunks in seen} == {frozenset(one.chunk_id for one in entries)}

    nodes.settle()
    assert whole(engine, version) == {one.chunk_id: one.filter_fields for one in [*entries, late]}
    assert all(struck not in copy.name for copy in engine._client.copies(indices))
    assert ask(engine, version, limit=100) == {one.chunk_id for one in entries}


def wait_for(seen: Sequence[object], count: int) -> None:
    deadline = time.monotonic() + 300
    while len(seen) < count:
        assert time.monotonic() < deadline, "nobody is answered any more"
        time.sleep(0.05)


def whole(engine: Engine, version: int) -> dict[int, tuple]:  # noqa: F811
    held: dict[int, Held] = engine.held(version, every_copy=True)
    assert all(one.whole for one in held.values())
    return {chunk: one.fields for chunk, one in held.items()}
