"""Hosts whose clock differs from the database's: an hour ahead, an hour behind, or in another day.

What can differ is what two processes compare: the day of a retirement with the day of a question, the moment of a
commit with the moment of its arrival, and when work was last offered.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from documents.rules.types import Corpus
from documents.search.base import Filter, Query
from documents.search.elasticsearch.engine import Engine
from kbportal.embedded.supervisor import Supervisor
from tests.documents.search.nodes import cluster
from tests.faults import corpus
from tests.faults.clocks import other_clock, other_node_clock, other_web
from tests.faults.conftest import World
from tests.faults.nodes import Nodes
from tests.faults.prober import Prober, Truth, call
from tests.faults.work import move, publish, retire, revision_of
from tests.instance import eventually

NODES = 1
AHEAD, BEHIND, TOMORROW, YESTERDAY = "+1h", "-1h", "+24h", "-24h"
MOVES = """
SELECT extract(epoch FROM agreed_at - committed_at)::float, abs(extract(epoch FROM committed_at - now()))::float
FROM documents_propagation JOIN documents_document ON documents_document.id = document_id WHERE code = %s
"""


@pytest.mark.parametrize("offset", [AHEAD, BEHIND, TOMORROW])
def test_a_web_process_with_another_clock(embedded: World, tmp_path: Path, offset: str) -> None:
    truth, [first, second] = Truth(), embedded.take(2)
    items = [*embedded.still, first, second]
    with (
        other_web(embedded, offset, tmp_path) as other,
        Prober(embedded.portal.url, embedded.tokens["leitor"], items, truth) as here,
        Prober(other.portal.url, embedded.tokens["leitor"], items, truth) as there,
    ):
        publish(other, truth, first)
        retire(other, truth, first)
        assert {here.probe(first), there.probe(first)} == {"not_found"}, "a retirement holds everywhere, at once"
        publish(embedded, truth, second)
        assert {here.probe(second), there.probe(second)} <= {"answered", "not_found"}
    assert embedded.holds(here.evidence | there.evidence) == []
    assert (here.faults, there.faults) == ([], [])
    assert here.probe(second) == "answered"
    _measured_by_one_clock(embedded, [first.code, second.code])


def test_a_worker_with_another_clock(embedded: World, tmp_path: Path) -> None:
    truth, [item] = Truth(), embedded.take(1)
    manager = Supervisor(embedded.portal.here)
    manager._remote.stopProcess("worker")
    command = ["celery", "-A", "kbportal", "worker", "--concurrency", "1", "--queues", "interactive"]
    try:
        with other_clock(embedded, AHEAD, tmp_path / "worker.log", command):
            publish(embedded, truth, item)
            with Prober(embedded.portal.url, embedded.tokens["leitor"], [*embedded.still], truth) as prober:
                eventually(lambda: prober.probe(item) == "answered", 120)
            assert embedded.holds(prober.evidence) == []
    finally:
        manager._remote.startProcess("worker")
    assert prober.faults == []
    _measured_by_one_clock(embedded, [item.code])


def _measured_by_one_clock(world: World, codes: Sequence[str]) -> None:
    """An hour's difference is no hour's delay, and no arrival before the commit."""
    measured = [row for code in codes for row in world.ask(MOVES, code)]
    assert measured
    for took, since in measured:
        assert took is not None
        assert 0 <= took < 1800
        assert since < 86_400 / 2


@pytest.mark.parametrize("offset", [AHEAD, BEHIND, TOMORROW, YESTERDAY])
def test_an_engine_with_another_clock_than_the_database(
    on_nodes: World, nodes: Nodes, tmp_path: Path, offset: str
) -> None:
    """What is in force follows the portal's day: by the node's, in another day, the other text would be.

    Answers do so even where an engine finds the wrong text, for each is checked again; the engine does so by itself.
    """
    truth, [item] = Truth(), on_nodes.take(1)
    dated, ours, theirs = corpus.Item(f"dia-{next(on_nodes.numbers)}", (800, 8000)), _day("+0h"), _day(offset)
    start = max(ours, theirs)
    right, other = ({"v2" if day >= start else "v1"} for day in (ours, theirs))
    folder = corpus.write(tmp_path / "import", [dated], successors=True, first_day=start)
    on_nodes.portal.manage("import_corpus", str(folder))
    with other_node_clock(on_nodes, nodes, offset):
        assert _hours_ahead(nodes) == offset
        with Prober(on_nodes.portal.url, on_nodes.tokens["leitor"], [*on_nodes.still, item], truth) as prober:
            move(on_nodes, dated, "v2", "publish")
            publish(on_nodes, truth, item)
            assert on_nodes.holds() == []
            assert _quoted(on_nodes, item) == {"v2"}
            assert _quoted(on_nodes, dated) == _found(on_nodes, nodes, dated, ours) == right
            assert _found(on_nodes, nodes, dated, theirs) == other
            retire(on_nodes, truth, item)
            assert prober.probe(item) == "not_found"
        assert on_nodes.holds(prober.evidence) == []
        assert _quoted(on_nodes, dated) == right
    assert _quoted(on_nodes, dated) == right
    assert prober.faults == []
    _measured_by_one_clock(on_nodes, [item.code, dated.code])


def _hours_ahead(nodes: Nodes) -> str:
    """By how much the clock of the only node is ahead of ours, as it says itself."""
    with cluster(nodes.urls) as es:
        [node] = es.nodes.stats(metric="os")["nodes"].values()
    return f"{round((node['timestamp'] / 1000 - time.time()) / 3600):+}h"


def _day(offset: str) -> date:
    """The portal's day by a clock that is so many hours off."""
    return timezone.localdate(timezone.now() + timedelta(hours=int(offset.removesuffix("h"))))


def _quoted(world: World, item: corpus.Item) -> set[str]:
    """The revisions of the item that an answer about it quotes."""
    answer = call(world.portal.url, world.tokens["leitor"], "/api/chat/ask", {"question": item.question})
    cited = [citation for claim in answer["claims"] for citation in claim["citations"]]
    return {str(citation["revision"]) for citation in cited if citation["document"] == item.code}


def _found(world: World, nodes: Nodes, item: corpus.Item, day: date) -> set[str]:
    """The revisions of the item that the engine alone finds for a question on that day."""
    engine = Engine([nodes.urls])
    [(version,)] = world.ask("SELECT id FROM documents_indexversion WHERE state = 'active'")
    labels = {revision_of(world, item, label)["id"]: label for label in ("v1", "v2")}
    held = engine.held(version, [*labels])
    audiences = frozenset(one.fields[1] for one in held.values())
    asked = Filter(audiences, day, day, reads_history=False, corpus=Corpus.OFFICIAL)
    [lists] = engine.search(version, Query(item.question, None), [asked], len(held))
    return {labels[held[hit.chunk_id].revision_id] for hit in lists.lexical if hit.chunk_id in held}
