"""`kill -9` of each process in the middle of each kind of work: nothing is lost, nothing wrong is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faults.conftest import World
from tests.faults.strike import strike
from tests.faults.work import WORKS, Work, published

VICTIMS = ("worker", "bulk", "valkey", "postgres", "web")
"""One of each kind: `web-2` is a second `web`."""
PAIRS = [(victim, work) for work in WORKS for victim in VICTIMS]


@pytest.mark.parametrize(("victim", "work"), PAIRS, ids=lambda one: getattr(one, "__name__", one))
def test_nothing_is_lost_and_nothing_wrong_is_said(embedded: World, tmp_path: Path, victim: str, work: Work) -> None:
    before = embedded.portal.pids()
    kinds = {re.sub(r"-\d+$", "", name) for name in before}
    assert kinds == set(VICTIMS), "no kind of process is left out"
    by_itself = victim in ("worker", "postgres") and work is published
    strike(embedded, work, tmp_path, lambda: _kill(embedded, victim), by_itself=by_itself)
    after = embedded.portal.pids()
    assert {name for name in before if after[name] != before[name]} == {victim}


def _kill(world: World, victim: str) -> None:
    world.portal.kill(victim)
