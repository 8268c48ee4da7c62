"""`make up` after the packages are there: one instance, from empty, through kills, to stopped. Real processes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from kbportal.embedded.paths import ROOT, Instance
from kbportal.embedded.supervisor import Supervisor

pytestmark = pytest.mark.slow
PATIENCE = 60
ALL = {"postgres", "valkey", "web", "worker"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Portal:
    """An instance of the suite's own, driven as the Makefile drives it."""

    def __init__(self, var: Path) -> None:
        self.here = Instance(var)
        self.port = free_port()

    def run(self, command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        env = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        env |= {"KB_VAR": str(self.here.var), "PORT": str(self.port), "KB_DEMO": "0"} | variables
        arguments = [sys.executable, "-m", "kbportal.embedded", command]
        return subprocess.run(arguments, cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    def up(self, **variables: str) -> str:
        done = self.run("up", **variables)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def pids(self) -> dict[str, int]:
        remote = Supervisor(self.here)._remote
        return {info["name"]: info["pid"] for info in remote.getAllProcessInfo()}

    def ready(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=5) as answer:
                return bool(json.load(answer)["status"] == "ok")
        except (OSError, HTTPError):
            return False


def eventually(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """Its folder's name is too long for a socket's address, as a checkout deep in a home may be."""
    portal = Portal(tmp_path_factory.mktemp("instance") / ("long-name-" * 8))
    portal.up()
    yield portal
    portal.run("down")
    portal.here.short.unlink(missing_ok=True)


def test_it_answers_once_up_returns_and_up_again_touches_nothing(portal: Portal) -> None:
    assert portal.ready()
    before = portal.pids()
    assert set(before) == ALL
    assert f"http://127.0.0.1:{portal.port}/" in portal.up()
    assert portal.pids() == before


def test_killed_processes_come_back_by_themselves(portal: Portal) -> None:
    before = portal.pids()
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not {0, *before.values()} & set(portal.pids().values()) and portal.ready())


def test_after_a_killed_supervisor_there_is_again_one_of_each(portal: Portal) -> None:
    before = portal.pids()
    os.kill(int((portal.here.run / "supervisord.pid").read_text()), signal.SIGKILL)
    portal.up()
    after = portal.pids()
    assert not set(before.values()) & set(after.values())
    for pid in before.values():
        eventually(lambda pid=pid: not alive(pid))  # type: ignore[misc]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_after_everything_was_killed_and_pids_were_reused_it_comes_up(portal: Portal) -> None:
    everything = [int((portal.here.run / "supervisord.pid").read_text()), *portal.pids().values()]
    for pid in everything:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not any(map(alive, everything)))
    pid_file = portal.here.postgres / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:], ""]))
    portal.up()
    assert portal.ready()


def test_a_new_variable_restarts_web_and_worker_alone(portal: Portal) -> None:
    before = portal.pids()
    portal.up(KB_LOG_LEVEL="WARNING")
    after = portal.pids()
    assert {name for name in ALL if before[name] != after[name]} == {"web", "worker"}


def test_a_busy_port_is_one_line_and_starts_nothing(portal: Portal, tmp_path: Path) -> None:
    second = Portal(tmp_path / "var")
    second.port = portal.port
    done = second.run("up")
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert f"Port {portal.port} is taken" in done.stderr
    assert not Supervisor(second.here).alive()
    assert portal.ready()


@pytest.mark.parametrize("port", ["eighty", "0", "70000"])
def test_a_port_that_is_none_is_one_line(tmp_path: Path, port: str) -> None:
    done = Portal(tmp_path / "var").run("up", PORT=port)
    assert (done.returncode, done.stderr.strip()) == (2, f"PORT={port} is not a port number.")


def test_a_setting_that_means_nothing_is_one_line(portal: Portal) -> None:
    done = portal.run("up", KB_GENERATOR="oracle")
    assert done.returncode == 2
    assert "KB_GENERATOR='oracle' is not one of extractive, openai" in done.stderr
    assert "Traceback" not in done.stderr
    assert portal.ready()


def test_down_leaves_no_process_and_may_be_repeated(portal: Portal) -> None:
    pids = portal.pids().values()
    assert portal.run("down").stdout.strip() == "Stopped."
    assert not any(map(alive, pids))
    assert portal.run("down").stdout.strip() == "Nothing runs."


def test_keys_in_the_environment_are_written_for_the_owner_alone(portal: Portal) -> None:
    for name in ("environment.json", "supervisord.conf"):
        assert (portal.here.run / name).stat().st_mode & 0o077 == 0
