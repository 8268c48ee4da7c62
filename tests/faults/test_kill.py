"""`kill -9` of each process in the middle of each kind of work: nothing is lost, nothing wrong is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import World
from tests.faults.strike import strike
from tests.faults.work import Work, asked, imported, published, reindexed, retired

VICTIMS = ("worker", "bulk", "valkey", "postgres", "web")
PAIRS = [(victim, work) for work in (published, retired, asked, reindexed, imported) for victim in VICTIMS]


@pytest.mark.parametrize(("victim", "work"), PAIRS, ids=lambda one: getattr(one, "__name__", one))
def test_nothing_is_lost_and_nothing_wrong_is_said(embedded: World, tmp_path: Path, victim: str, work: Work) -> None:
    before = embedded.portal.pids()
    assert set(VICTIMS) == before.keys(), "each process of the set-up is a victim"
    by_itself = victim in ("worker", "postgres") and work is published
    strike(embedded, work, tmp_path, lambda: _kill(embedded, victim), by_itself=by_itself)
    after = embedded.portal.pids()
    assert {name for name in VICTIMS if after[name] != before[name]} == {victim}


def _kill(world: World, victim: str) -> None:
    world.portal.kill(victim)
