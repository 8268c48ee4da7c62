"""The portal on one Elasticsearch node, which dies, takes no writes, or is put back."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from documents.search.elasticsearch.connection import BULK
from tests.documents.search.nodes import cluster
from tests.faults import corpus
from tests.faults.conftest import World
from tests.faults.indices import ALL, NAMED, documents, shown, write_back, written
from tests.faults.nodes import Nodes
from tests.faults.prober import Prober, Truth, call
from tests.faults.strike import strike
from tests.faults.work import PATIENCE, WORKS, Work, publish, retire, revision_of
from tests.instance import eventually

NODES = 1
BLOCKS = ("read_only_allow_delete", "write")
LONG = 4 * BULK
"""Passages of a text that is written in several parts."""


@pytest.mark.parametrize("work", WORKS)
def test_the_only_node_is_killed(on_nodes: World, nodes: Nodes, tmp_path: Path, work: Work) -> None:
    """Until it is back every answer is `unavailable`: the prober takes no `not_found` for a text in force."""
    prober = strike(on_nodes, work, tmp_path, lambda: nodes.kill(0))
    assert prober.seen["unavailable"], prober.seen


def test_the_only_node_is_killed_in_the_middle_of_one_publication(
    on_nodes: World, nodes: Nodes, tmp_path: Path
) -> None:
    """When it is back it shows some passages of the text: nothing is answered from any of them before all are there."""
    truth, item = Truth(), corpus.Item(f"longo-{next(on_nodes.numbers)}", (700, 7000))
    on_nodes.portal.manage("import_corpus", str(corpus.write(tmp_path / "i", [item], successors=True, sections=LONG)))
    assert on_nodes.holds() == []
    prober = Prober(on_nodes.portal.url, on_nodes.tokens["leitor"], [item], truth)
    with cluster(nodes.urls) as es:
        already = written(es)
        publish(on_nodes, truth, item)
        deadline = time.monotonic() + PATIENCE
        while written(es) - already < 3 * BULK // 2:  # one part was confirmed, the next one is being written
            assert time.monotonic() < deadline, "the index does not follow"
        nodes.kill(0)
        es.cluster.health(index=ALL, wait_for_status="yellow", timeout="60s")
        revision = revision_of(on_nodes, item, "v2")["id"]
        assert 0 < shown(es, revision) < LONG, "it was killed in the middle"
        eventually(on_nodes.portal.ready, 120)
        for number in range(3, LONG, LONG // 10):
            question = {"question": f"{item.question[:-1]} no depósito {number}?"}
            assert call(prober.url, prober.token, "/api/chat/ask", question)["status"] == "not_found"
        assert shown(es, revision) < LONG, "all of it came while it was asked about"
        assert on_nodes.holds() == []
        assert shown(es, revision) >= LONG
    assert prober.probe(item) == "answered"
    assert prober.faults == []


@pytest.mark.parametrize("block", BLOCKS)
def test_an_index_that_takes_no_writes(on_nodes: World, nodes: Nodes, block: str) -> None:
    """Publication and retirement are made, and hold in answers at once; the index follows when the block is lifted."""
    truth, [first, second] = Truth(), on_nodes.take(2)
    items = [*on_nodes.still, first, second]
    publish(on_nodes, truth, first)
    assert on_nodes.holds() == []
    prober = Prober(on_nodes.portal.url, on_nodes.tokens["leitor"], items, truth)
    with prober, cluster(nodes.urls) as es:
        es.indices.put_settings(index=ALL, settings={f"index.blocks.{block}": True})
        try:
            retire(on_nodes, truth, first)
            publish(on_nodes, truth, second)
            eventually(lambda: len(refused(on_nodes)) >= 2)
            assert prober.probe(first) == "not_found"
            assert all("read-only" in error or "block" in error for error in refused(on_nodes))
            assert on_nodes.portal.manage("check_index", accept=(1,)), "the difference is told"
        finally:
            es.indices.put_settings(index=ALL, settings={f"index.blocks.{block}": None})
    assert on_nodes.holds(prober.evidence) == []
    assert prober.probe(second) == "answered"
    assert prober.faults == []
    assert prober.seen["answered"] > 1


def refused(world: World) -> list[str]:
    """What the jobs say that wait for the engine; a wait is nobody's fault."""
    rows = world.ask("SELECT error, faults FROM documents_job WHERE state = 'failed'")
    assert all(faults == 0 for _error, faults in rows)
    return [error for error, _faults in rows]


def test_an_index_that_was_put_back_to_an_older_state(on_nodes: World, nodes: Nodes) -> None:
    truth, [first, second] = Truth(), on_nodes.take(2)
    publish(on_nodes, truth, first)
    assert on_nodes.holds() == []
    with (
        cluster(nodes.urls) as es,
        Prober(on_nodes.portal.url, on_nodes.tokens["leitor"], on_nodes.still, truth) as prober,
    ):
        kept = {index: documents(es, index) for index in es.indices.get(index=NAMED)}
        retire(on_nodes, truth, first)
        publish(on_nodes, truth, second)
        assert on_nodes.holds() == []
        for index, held in kept.items():
            write_back(es, index, held)
            es.indices.refresh(index=index)
        assert prober.probe(first) == "not_found"
        prober.probe(second)
        assert "filter" in on_nodes.portal.manage("check_index", accept=(1,))
        on_nodes.portal.manage("check_index", "--repair")
        assert prober.probe(second) == "answered"
    assert on_nodes.holds(prober.evidence) == []
    assert prober.faults == []
