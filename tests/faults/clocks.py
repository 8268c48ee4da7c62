"""Processes of the portal by a clock of their own, beside all others by the right one."""

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
from tests.faults.conftest import World
from tests.faults.nodes import Nodes
from tests.instance import Portal, eventually


def clock(offset: str) -> list[str]:
    """The command that becomes another one, by a clock that is so far from the one of all others.

    What waits by the clock that only goes forward is left alone: a Java machine that is helped with it spins.
    """
    faketime = shutil.which("faketime")
    if faketime is None:
        pytest.skip("a clock of one process needs `faketime`: apt install faketime")
    said = subprocess.run([faketime, "-f", offset, "env"], capture_output=True, text=True, check=True).stdout
    [library] = [line for line in said.splitlines() if line.startswith("LD_PRELOAD=")]
    return ["env", library, f"FAKETIME={offset}", "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_FORCE_MONOTONIC_FIX=0"]


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


@contextmanager
def other_node_clock(world: World, nodes: Nodes, offset: str) -> Iterator[None]:
    """The same world, whose only node has another clock than all others; it is killed and started for that."""
    nodes.through = clock(offset)
    try:
        nodes.kill(0)
        eventually(world.portal.ready, 120)
        yield
    finally:
        nodes.through = []
        nodes.kill(0)
        eventually(world.portal.ready, 120)
