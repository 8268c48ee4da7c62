"""One instance for all faults, on a small disk of its own where that can be had, with some hundred small policies."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psycopg
import pytest

from kbportal.embedded.paths import ROOT
from tests.faults import corpus
from tests.faults.corpus import Item
from tests.faults.nodes import Nodes, running
from tests.faults.room import Room, mounted
from tests.instance import Portal, eventually

DISK = "2g"
OWN = {"KB_ENGINE": "postgres", "KB_EMBEDDER": "hashing", "KB_QUESTIONS_A_MINUTE": "1000000"}
STILL, MOVING = 20, 120
QUIET_AFTER = 240


@dataclass
class World:
    """`still` are never moved; `moving` have an approved v2 each, and each scenario takes its own from the end."""

    portal: Portal
    still: list[Item]
    moving: list[Item]
    tokens: dict[str, str]
    room: Room | None
    numbers: Iterator[int] = field(default_factory=count)

    def next(self, number: int) -> list[Item]:
        return self.moving[-number:]

    def take(self, number: int) -> list[Item]:
        return [self.moving.pop() for _ in range(number)]

    def use(self, **engine: str) -> None:
        """Answer from this engine: build the index there while the other one answers, then start anew with it."""
        if self.portal.variables | engine == self.portal.variables:
            return
        self.portal.variables |= engine
        self.portal.manage("reindex")
        self.portal.up()

    def holds(self, evidence: Collection[str] = (), *, by_itself: bool = False) -> list[str]:
        """What does not hold once all is quiet: no job or record lost, both chains whole, index and tables agree."""
        eventually(self.portal.ready, 120)
        how = [] if by_itself else ["now"]
        command = [sys.executable, "-m", "tests.faults.holds", str(QUIET_AFTER), *how]
        done = subprocess.run(
            command, cwd=ROOT, env=self.portal.environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        kept = {str(row[0]) for row in self.ask("SELECT id FROM chat_evidencerecord")}
        lost = [f"no record of {one}" for one in evidence if one not in kept]
        return [*json.loads(done.stdout.splitlines()[-1]), *lost]

    def ask(self, query: str, *values: object) -> list[tuple]:
        with psycopg.connect(self.portal.here.database_url, connect_timeout=5) as connection:
            return connection.execute(query, values).fetchall()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/faults" in item.path.as_posix():
            item.add_marker(pytest.mark.faults)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("faults")
    folder.parent.chmod(0o755)  # started by root, PostgreSQL runs as somebody else
    with mounted(folder / "disk", DISK) as room:
        portal = Portal(folder / "disk" / "var", **OWN)
        try:
            portal.up()
            yield _filled(portal, folder, room)
        finally:
            portal.down()


def _filled(portal: Portal, folder: Path, room: Room | None) -> World:
    still, moving = corpus.items("fix", STILL), corpus.items("mov", MOVING)
    portal.manage("import_corpus", str(corpus.write(folder / "still", still)))
    portal.manage("import_corpus", str(corpus.write(folder / "moving", moving, successors=True)))
    tokens = {}
    for name in ("dona", "leitor"):
        found = re.search(r"[0-9a-f]{40}", portal.manage("drf_create_token", name))
        assert found
        tokens[name] = found[0]
    return World(portal, still, moving, tokens, room)


@pytest.fixture
def embedded(world: World) -> World:
    """The world on the engine of `make up`."""
    world.use(KB_ENGINE="postgres")
    return world


@pytest.fixture(scope="module")
def nodes(request: pytest.FixtureRequest) -> Iterator[Nodes]:
    """As many Elasticsearch nodes as the module's `NODES` says, for all of its tests."""
    with running(request.module.NODES) as started:
        yield started


@pytest.fixture
def on_nodes(world: World, nodes: Nodes) -> World:
    """The world on the module's nodes."""
    world.use(KB_ENGINE="elasticsearch", ELASTICSEARCH_URL=nodes.urls)
    return world
