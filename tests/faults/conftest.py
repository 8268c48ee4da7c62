"""One instance for all faults, with 400 small policies, and people's tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest

from tests.faults import corpus
from tests.faults.corpus import Item
from tests.instance import Portal, eventually

OPEN = "SELECT count(*) FROM documents_job WHERE state IN ('waiting', 'running', 'failed')"
PARKED = "SELECT kind || ': ' || error FROM documents_job WHERE state = 'parked'"


@dataclass
class World:
    """`still` are never moved; `moving` have an approved v2 each, and each scenario takes its own from the end."""

    portal: Portal
    still: list[Item]
    moving: list[Item]
    tokens: dict[str, str]

    def holds(self) -> list[str]:
        """What does not hold once all is quiet: no job lost or parked, both chains whole, index and tables agree."""
        eventually(self.portal.ready)
        eventually(lambda: self._ask(OPEN) == [(0,)], patience=180)
        found = [f"parked: {row[0]}" for row in self._ask(PARKED)]
        for command in ("verify_evidence", "verify_audit", "check_index"):
            done = self.portal.command(command)
            if done.returncode:
                found.append(f"{command}: {done.stdout[-400:]} {done.stderr[-400:]}")
        return found

    def _ask(self, query: str) -> list[tuple]:
        try:
            with psycopg.connect(self.portal.here.database_url, connect_timeout=5) as connection:
                return connection.execute(query).fetchall()
        except psycopg.OperationalError:
            return []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/faults" in item.path.as_posix():
            item.add_marker(pytest.mark.faults)


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("faults")
    portal = Portal(folder / "var", KB_EMBEDDER="hashing", KB_QUESTIONS_A_MINUTE="1000000")
    portal.up()
    still, moving = corpus.items("fix", 40), corpus.items("mov", 120)
    portal.manage("import_corpus", str(corpus.write(folder / "still", still)))
    portal.manage("import_corpus", str(corpus.write(folder / "moving", moving, successors=True)))
    tokens = {}
    for name in ("dona", "leitor"):
        found = re.search(r"[0-9a-f]{40}", portal.manage("drf_create_token", name))
        assert found
        tokens[name] = found[0]
    yield World(portal, still, moving, tokens)
    portal.down()
