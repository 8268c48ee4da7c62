"""A PostgreSQL of the suite's own: started when the first test needs it, gone at the end, never the portal's."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pgtrigger
import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import TransactionTestCase
from django.utils import timezone

from evaluation.demo.build import build
from kbportal import env
from kbportal.embedded import postgres
from kbportal.embedded.launch import stop_with_parent
from kbportal.embedded.paths import database_url
from kbportal.translations import compile_catalogs
from tests.shared import locked, of_the_run

START_TIMEOUT = 60
LAST_OF_A_DAY = timedelta(seconds=20)
_running: tuple[Path, subprocess.Popen[bytes]] | None = None


def _start() -> None:
    """Point `DATABASE_URL` at a fresh server, for this process and for the workers that it is about to start."""
    global _running
    folder = Path(tempfile.mkdtemp(prefix="kbportal-test-"))
    folder.chmod(0o755)  # started by root, the server runs as somebody else
    data = folder / "postgres"
    postgres.ensure_cluster(data, durable=False)
    parent, who = os.getpid(), postgres.account(data)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            postgres.server(data, durable=False),
            cwd=data,
            stderr=log,
            preexec_fn=lambda: stop_with_parent(parent, signal.SIGINT),  # noqa: PLW1509 (no threads yet)
            **postgres.as_user(who),
        )
    _running = folder, process
    deadline = time.monotonic() + START_TIMEOUT
    while True:
        try:
            psycopg.connect(database_url(data, "postgres")).close()
            break
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"no PostgreSQL for the tests: {(folder / 'log').read_text()}") from None
            time.sleep(0.05)
    os.environ["DATABASE_URL"] = database_url(data, "postgres")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    compile_catalogs()
    distributed = getattr(config.option, "numprocesses", None) or getattr(config.option, "tx", None)
    if distributed and "DATABASE_URL" not in os.environ:
        _start()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files first: a file is one worker's, and a long one that begins last leaves the other without work.

    The first of the browser's starts a portal; the others come after what else is slow, so that none waits for it.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    browsers = sorted(path for path in slow if path.parent.name == "browser")
    ranks = dict.fromkeys(slow, 1) | dict.fromkeys(browsers, 2) | dict.fromkeys(browsers[:1], 0)
    items.sort(key=lambda item: ranks.get(item.path, 3))


def pytest_unconfigure(config: pytest.Config) -> None:
    if _running is None:
        return
    folder, process = _running
    process.send_signal(signal.SIGINT)
    process.wait(30)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """pytest-django's door for this: called once, before the first test database is made."""
    if "DATABASE_URL" not in os.environ:
        _start()
        settings.DATABASES["default"].update(env.database(os.environ["DATABASE_URL"], pool=0))


def pytest_runtest_setup() -> None:
    """No test begins in the last seconds of a day: today would be another one before it ends."""
    now = timezone.localtime()
    midnight = datetime.combine(now.date() + timedelta(1), datetime.min.time(), now.tzinfo)
    if (left := midnight - now) < LAST_OF_A_DAY:
        time.sleep(left.total_seconds())


@pytest.fixture(autouse=True)
def caches_are_emptied_between_tests() -> None:
    """The database begins anew with each test; what was kept about the rows of another one would be wrong about it."""
    cache.clear()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo corpus as the product builds it. Not to be written to."""
    shared = of_the_run(tmp_path_factory)
    with locked(shared / "demo.lock"):
        return build(shared / "demo")


@pytest.fixture
def one_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The throttle's clock stands: a minute that ends between two questions begins to count anew."""
    monkeypatch.setattr("chat.throttle.time", SimpleNamespace(time=lambda: 1_800_000_030.0))


@pytest.fixture(scope="session", autouse=True)
def append_only_tables_are_emptied_between_tests() -> Iterator[None]:
    """A test of real transactions ends with TRUNCATE, which audit trail and evidence refuse to all others."""
    flush = TransactionTestCase._fixture_teardown

    def flush_all(case: TransactionTestCase) -> None:
        with pgtrigger.ignore():
            flush(case)

    TransactionTestCase._fixture_teardown = flush_all
    yield
    TransactionTestCase._fixture_teardown = flush
