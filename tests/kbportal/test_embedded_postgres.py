"""The embedded PostgreSQL comes back from whatever stopped it. Real binaries, real signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from kbportal.embedded import postgres
from kbportal.embedded.paths import ROOT, database_url

PATIENCE = 90


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Short enough for a socket's address; like `var`, its parents may be closed to others."""
    return tmp_path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pg") / "postgres"
    postgres.ensure_cluster(path, durable=False)
    return path


@pytest.fixture
def running(data: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = start(data)
    yield process
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)


def start(data: Path, durable: bool = False) -> subprocess.Popen[bytes]:
    command = postgres.server(data, durable)
    return subprocess.Popen(command, cwd=data, stderr=subprocess.DEVNULL, **postgres.as_user(postgres.account(data)))


def ask(data: Path, query: str) -> object:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with psycopg.connect(database_url(data, "postgres")) as connection:
                row = connection.execute(query).fetchone()
                assert row is not None
                return row[0]
        except psycopg.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def stale(pid: object) -> str:
    return f"{pid}\n/proc/self/cwd\n1790000000\n5432\n.\n\n  1234  5678\nready\n"


def test_the_server_speaks_the_locale_that_search_needs(data: Path, running: subprocess.Popen[bytes]) -> None:
    query = "SELECT datlocprovider::text || datlocale || datctype FROM pg_database WHERE datname = current_database()"
    assert ask(data, query) == "bC.UTF-8C.UTF-8"
    assert ask(data, "SELECT 'É' ~ '[[:alpha:]]' AND lower('É') = 'é'") is True


def test_a_killed_server_starts_again_with_its_rows(data: Path) -> None:
    first = start(data, durable=True)
    ask(data, "SELECT 1")
    with psycopg.connect(database_url(data, "postgres"), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT 7 AS n")
    first.kill()
    first.wait()
    deadline = time.monotonic() + PATIENCE
    while True:  # what make up's lock waits for: the backends notice that their parent is gone
        postgres.forget_dead_server(data)
        second = start(data)
        try:
            second.wait(1)
        except subprocess.TimeoutExpired:
            break
        assert time.monotonic() < deadline
    assert ask(data, "SELECT n FROM kept") == 7
    second.send_signal(signal.SIGINT)
    second.wait(PATIENCE)


@pytest.mark.parametrize("name", ["postmaster.pid", postgres.SOCKET_LOCK])
@pytest.mark.parametrize(
    "content",
    [stale(1), stale(2**22 + 1), "", "not a number\n"],
    ids=["another process", "no process", "empty", "torn"],
)
def test_a_lock_file_of_nobody_or_of_another_process_is_removed(folder: Path, name: str, content: str) -> None:
    (folder / name).write_text(content)
    postgres.forget_dead_server(folder)
    assert not (folder / name).exists()


def test_a_lock_file_of_a_living_server_is_kept(data: Path, running: subprocess.Popen[bytes]) -> None:
    ask(data, "SELECT 1")
    postgres.forget_dead_server(data)
    assert (data / "postmaster.pid").exists()


def test_the_server_starts_although_its_pid_file_names_another_process(data: Path) -> None:
    (data / "postmaster.pid").write_text(stale(os.getpid()))
    (data / postgres.SOCKET_LOCK).write_text(stale(os.getpid()))
    postgres.forget_dead_server(data)
    process = start(data)
    assert ask(data, "SELECT 1") == 1
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)


def test_a_full_stop_in_the_middle_of_initdb_leaves_nothing_that_looks_whole(folder: Path) -> None:
    data, draft = folder / "postgres", folder / "postgres.new"
    code = "import sys; from pathlib import Path; from kbportal.embedded.postgres import ensure_cluster; "
    code += "ensure_cluster(Path(sys.argv[1]))"
    making = subprocess.Popen([sys.executable, "-c", code, str(data)], cwd=ROOT, start_new_session=True)
    deadline = time.monotonic() + PATIENCE
    while not (draft / "PG_VERSION").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(making.pid, signal.SIGKILL)
    making.wait()
    assert not data.exists()

    postgres.ensure_cluster(data, durable=False)
    assert not draft.exists()
    process = start(data)
    assert ask(data, "SELECT 1") == 1
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)


@pytest.mark.skipif(os.getuid() != 0, reason="only root starts the server as somebody else")
def test_root_starts_the_server_as_somebody_else_in_a_folder_that_is_closed_to_them(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    postgres.ensure_cluster(closed / "postgres", durable=False)
    process = start(closed / "postgres")
    assert ask(closed / "postgres", "SELECT 1") == 1
    owner = Path(f"/proc/{process.pid}").stat().st_uid
    process.send_signal(signal.SIGINT)
    process.wait(PATIENCE)
    assert owner != 0


def test_the_memory_for_pages_grows_with_what_is_kept_to_an_eighth_of_the_machine(tmp_path: Path) -> None:
    machine = postgres.memory()
    (tmp_path / "base" / "5").mkdir(parents=True)
    seen = []
    for kept in (0, 2**28, 2**30, 4 * machine):
        with (tmp_path / "base" / "5" / "16384").open("wb") as file:
            file.truncate(kept)  # it takes no room on the disk
        seen.append(postgres.buffers(tmp_path))
    assert seen == [128, 128, 256, machine // 8 // 2**20]


@pytest.mark.parametrize(
    ("own", "limits", "allowed"),
    [
        ("0::/\n", {}, None),
        ("0::/\n", {"memory.max": "max\n"}, None),
        ("0::/\n", {"memory.max": "1073741824\n"}, 2**30),
        ("0::/a/b\n", {"a/memory.max": "1073741824\n", "a/b/memory.max": "max\n"}, 2**30),
        ("0::/not/seen/here\n", {"memory.max": "1073741824\n"}, 2**30),
        ("2:cpu:/a\n1:memory:/a\n", {"memory/a/memory.limit_in_bytes": "1073741824\n"}, 2**30),
        ("1:memory:/docker/x\n", {"memory/memory.limit_in_bytes": "1073741824\n"}, 2**30),
        ("1:memory:/\n", {"memory/memory.limit_in_bytes": "9223372036854771712\n"}, None),
        ("torn", {"memory.max": ""}, None),
    ],
)
def test_a_container_that_may_use_less_than_the_machine_has_counts(
    tmp_path: Path, own: str, limits: dict[str, str], allowed: int | None
) -> None:
    (tmp_path / "own").write_text(own)
    for name, limit in limits.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(limit)
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert postgres.memory(tmp_path / "groups", tmp_path / "own") == (allowed or machine)
