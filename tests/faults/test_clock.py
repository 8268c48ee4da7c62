"""Hosts whose clock differs from the database's: an hour ahead, an hour behind, or already in the next day.

What can differ is what two processes compare: the day of a retirement with the day of a question, the moment of a
commit with the moment of its arrival, and when work was last offered.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from kbportal.embedded.elasticsearch.node import free_port
from kbportal.embedded.paths import ROOT
from kbportal.embedded.supervisor import Supervisor
from tests.faults.conftest import World
from tests.faults.prober import Prober, Truth
from tests.faults.work import publish, retire
from tests.instance import Portal, eventually

AHEAD, BEHIND, TOMORROW = "+1h", "-1h", "+24h"
MOVES = """
SELECT extract(epoch FROM agreed_at - committed_at)::float, abs(extract(epoch FROM committed_at - now()))::float
FROM documents_propagation JOIN documents_document ON documents_document.id = document_id WHERE code = %s
"""


def clock(offset: str) -> list[str]:
    """The command that becomes another one, by a clock that is so far from the one of all others."""
    faketime = shutil.which("faketime")
    if faketime is None:
        pytest.skip("a clock of one process needs `faketime`: apt install faketime")
    said = subprocess.run([faketime, "-f", offset, "env"], capture_output=True, text=True, check=True).stdout
    [library] = [line for line in said.splitlines() if line.startswith("LD_PRELOAD=")]
    return ["env", library, f"FAKETIME={offset}", "FAKETIME_DONT_FAKE_MONOTONIC=1"]


@contextmanager
def other_clock(world: World, offset: str, log: Path, command: Sequence[str]) -> Iterator[None]:
    """One more process of the portal with a clock of its own."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*clock(offset), sys.executable, "-m", *command],
            cwd=ROOT, env=world.portal.environment(), stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)


@contextmanager
def other_web(world: World, offset: str, folder: Path) -> Iterator[World]:
    """The same world, asked and moved through a web process with another clock."""
    portal = Portal(world.portal.here.var, free_port(), **world.portal.variables)
    command = ["uvicorn", "kbportal.asgi:application", "--port", str(portal.port), "--no-access-log"]
    with other_clock(world, offset, folder / "web.log", command):
        eventually(portal.ready, 120)
        yield replace(world, portal=portal)


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
