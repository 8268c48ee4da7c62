"""The portal on three Elasticsearch nodes, each index on two: one dies, stands still, or has a copy that lags."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.search.nodes import cluster
from tests.faults.conftest import World
from tests.faults.indices import NAMED, copies, documents, show_on, write_back
from tests.faults.nodes import Nodes
from tests.faults.prober import Prober, Truth, call
from tests.faults.strike import strike
from tests.faults.work import WORKS, Work, publish, published, retire, retired

NODES = 3
WORDINGS = ("", " hoje", " por filial", " de cada filial", " agora", " nas filiais", " por dia", " ao todo")


@pytest.mark.parametrize("work", WORKS)
def test_one_of_three_nodes_is_killed(on_nodes: World, nodes: Nodes, tmp_path: Path, work: Work) -> None:
    """The one with the primary of the policies: its copy elsewhere takes over."""
    struck = holder(nodes, primary=True)
    strike(on_nodes, work, tmp_path, lambda: nodes.kill(struck))


@pytest.mark.parametrize("work", [published, retired])
def test_one_of_three_nodes_stands_still_and_its_copies_lag(
    on_nodes: World, nodes: Nodes, tmp_path: Path, work: Work
) -> None:
    """The one with the second copy of the policies."""
    struck = holder(nodes, primary=False)
    strike(on_nodes, work, tmp_path, lambda: nodes.hold_up(struck))


def test_one_copy_shows_what_was_before_a_retirement(on_nodes: World, nodes: Nodes) -> None:
    """A question goes to the one copy or to the other: neither says what is gone, and the one that lags is named."""
    truth, [first, second] = Truth(), on_nodes.take(2)
    publish(on_nodes, truth, first)
    assert on_nodes.holds() == []
    url, reader = on_nodes.portal.url, on_nodes.tokens["leitor"]
    with cluster(nodes.places[0].url) as es, Prober(url, reader, on_nodes.still, truth) as prober:
        index = official(list(es.indices.get(index=NAMED)))
        before = documents(es, index)
        retire(on_nodes, truth, first)
        publish(on_nodes, truth, second)
        assert on_nodes.holds() == []
        write_back(es, index, before)
        primary, other = copies(es, index)
        show_on(es, index, other, before[0])
        ours, lags = (sources(documents(es, index, f"_only_nodes:{node}")) for node in (primary, other))
        assert ours != lags == sources(before), "one copy alone lags"
        for words in WORDINGS:
            answer = call(url, reader, "/api/chat/ask", {"question": f"{first.question[:-1]}{words}?"})
            assert answer["status"] == "not_found", answer
        said = on_nodes.portal.manage("check_index", accept=(1,))
        assert f"partial {first.code}@v2" in said
        on_nodes.portal.manage("check_index", "--repair")
        assert prober.probe(second) == "answered"
    assert on_nodes.holds(prober.evidence) == []
    assert prober.faults == []


def sources(held: list[dict]) -> dict[str, dict]:
    return {hit["_id"]: hit["_source"] for hit in held}


def holder(nodes: Nodes, *, primary: bool) -> int:
    """Which node has the primary, or the other copy, of the index of policies that answers."""
    with cluster(nodes.places[0].url) as es:
        index = official(list(es.indices.get(index=NAMED)))
        name = es.nodes.info()["nodes"][copies(es, index)[0 if primary else 1]]["name"]
    return [place.name for place in nodes.places].index(name)


def official(indices: list[str]) -> str:
    [index] = [name for name in indices if name.endswith("-official")]
    return index
