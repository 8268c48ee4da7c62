"""`kill -9` of each process in the middle of each kind of work: nothing is lost, nothing wrong is said.

On either engine. With Elasticsearch what dies has written to two stores, of which one alone takes back what was not
confirmed.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faults.conftest import World
from tests.faults.strike import strike
from tests.faults.work import WORKS, Work, published

NODES = 1
ENGINES = ("embedded", "on_nodes")
VICTIMS = ("worker", "bulk", "valkey", "postgres", "web")
"""One of each kind: `web-2` is a second `web`."""
CASES = [(engine, victim, work) for engine in ENGINES for work in WORKS for victim in VICTIMS]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> World:
    """The world on the engine that the test names."""
    world: World = request.getfixturevalue(request.param)
    return world


@pytest.mark.parametrize(
    ("engine", "victim", "work"), CASES, indirect=["engine"], ids=lambda one: getattr(one, "__name__", one)
)
def test_nothing_is_lost_and_nothing_wrong_is_said(engine: World, tmp_path: Path, victim: str, work: Work) -> None:
    before = engine.portal.pids()
    kinds = {re.sub(r"-\d+$", "", name) for name in before}
    assert kinds == set(VICTIMS), "no kind of process is left out"
    by_itself = victim in ("worker", "postgres") and work is published
    strike(engine, work, tmp_path, lambda: _kill(engine, victim), by_itself=by_itself)
    after = engine.portal.pids()
    assert {name for name in before if after[name] != before[name]} == {victim}


def _kill(world: World, victim: str) -> None:
    world.portal.kill(victim)
