"""`make up` after the packages are there: one instance, from empty, through kills, to stopped. Real processes."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from threading import Timer

import httpx2
import pytest

from kbportal.embedded.launch import hold
from kbportal.embedded.paths import Instance
from kbportal.embedded.supervisor import Supervisor
from kbportal.embedded.up import refuse_busy_port
from tests.instance import Portal, eventually

pytestmark = pytest.mark.slow
OWN = {"web", "web-2", "worker", "bulk"}
ALL = {"postgres", "valkey"} | OWN


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


def test_assistants_reach_their_tool(portal: Portal) -> None:
    portal.manage("shell", "-c", "from django.contrib.auth.models import User; User.objects.create_user('ana')")
    token = portal.manage("drf_create_token", "ana").split()[2]
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx2.post(f"{portal.url}/mcp", json=asked, headers=headers)
    assert [tool["name"] for tool in answer.json()["result"]["tools"]] == ["ask"]


def test_killed_processes_come_back_by_themselves(portal: Portal) -> None:
    before = portal.pids()
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: not {0, *before.values()} & set(portal.pids().values()) and portal.ready())


def test_new_variables_restart_web_and_workers_alone_and_as_many_as_are_asked_for(portal: Portal) -> None:
    before = portal.pids()
    portal.up(KB_LOG_LEVEL="WARNING", KB_WEB_PROCESSES="1")
    fewer = portal.pids()
    assert set(fewer) == ALL - {"web-2"}
    assert {name for name in fewer if before[name] != fewer[name]} == OWN - {"web-2"}


def test_after_a_killed_supervisor_there_is_again_one_of_each(portal: Portal) -> None:
    before = portal.pids()
    os.kill(int((portal.here.run / "supervisord.pid").read_text()), signal.SIGKILL)
    portal.up()
    after = portal.pids()
    assert set(after) == ALL, "as many as without a variable"
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


def test_one_of_the_web_processes_may_die_without_notice(portal: Portal) -> None:
    eventually(lambda: listening(portal.port) == 2)
    first = portal.kill("web")
    eventually(lambda: not alive(first))  # who it was just talking to is cut off
    for _ in range(20):  # each on a connection of its own, so that the kernel chooses anew
        assert httpx2.get(f"{portal.url}/health/live", timeout=60).status_code == 200
    eventually(lambda: portal.pids()["web"] not in (0, first))


def listening(port: int) -> int:
    """How many sockets of this machine wait for callers on the port."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "0A" for line in lines)


def test_what_all_web_processes_count_is_told_by_any(portal: Portal) -> None:
    for _ in range(20):
        assert portal.ready()
    told = [httpx2.get(f"{portal.url}/metrics").text for _ in range(8)]
    counted = [int(float(re.search(r"kb_tables_readable (\S+)", text)[1])) for text in told]  # type: ignore[index]
    assert counted == [1] * 8
    name = r'django_http_responses_total_by_status_total\{status="200"\} (\S+)'
    totals = [float(re.search(name, text)[1]) for text in told]  # type: ignore[index]
    assert totals == sorted(totals)
    assert totals[0] >= 20


@pytest.mark.parametrize("number", ["0", "two", "-1", "1000"])
def test_a_number_of_web_processes_that_is_none_is_one_line(tmp_path: Path, number: str) -> None:
    done = Portal(tmp_path / "var").run("up", KB_WEB_PROCESSES=number)
    assert (done.returncode, done.stderr.strip().count("\n")) == (2, 0)
    assert f"KB_WEB_PROCESSES={number}" in done.stderr


def test_a_busy_port_is_one_line_and_starts_nothing(portal: Portal, tmp_path: Path) -> None:
    second = Portal(tmp_path / "var")
    second.port = portal.port
    done = second.run("up")
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert f"Port {portal.port} is taken" in done.stderr
    assert not Supervisor(second.here).alive()
    assert portal.ready()


@pytest.mark.parametrize("name", ["web", "web-2"])
@pytest.mark.parametrize("first", ["lock", "port"])
def test_any_web_process_that_is_leaving_is_waited_for(tmp_path: Path, name: str, first: str) -> None:
    """After its manager was killed each leaves when it has answered, and lets go of what it holds in any order."""
    here, listener = Instance(tmp_path), socket.create_server(("127.0.0.1", 0), reuse_port=True)
    here.run.mkdir()
    number = listener.getsockname()[1]
    (here.run / "port").write_text(str(number))
    for path in (here.run / "web.lock", here.run / "web-2.lock"):
        path.touch()
    lock = hold(here.run / f"{name}.lock")
    leave = [lambda: os.close(lock), listener.close]
    for after, let_go in zip((1.2, 1.4), leave if first == "lock" else reversed(leave), strict=True):
        Timer(after, let_go).start()
    refuse_busy_port(here, Supervisor(here), number)


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
    assert f"Nothing runs in {portal.here.var}" in portal.run("down").stdout


def test_keys_in_the_environment_are_written_for_the_owner_alone(portal: Portal) -> None:
    for name in ("environment.json", "supervisord.conf"):
        assert (portal.here.run / name).stat().st_mode & 0o077 == 0


def test_what_dies_at_its_start_is_started_again_for_days(portal: Portal) -> None:
    """As of a full disk that nobody notices at night. Each start waits a second longer than the one before."""
    config = ConfigParser(interpolation=None)
    config.read(portal.here.run / "supervisord.conf")
    programs = {name: part for name, part in config.items() if name.startswith("program:")}
    assert {name.removeprefix("program:") for name in programs} == ALL
    for part in programs.values():
        retries = part.getint("startretries")
        assert retries * (retries + 1) / 2 > 2 * 24 * 3600
