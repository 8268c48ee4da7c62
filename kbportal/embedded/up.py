"""`make up`: from whatever state the instance is in to a portal that answers. Every step may be repeated."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psycopg
from psycopg import sql

from kbportal.embedded.paths import DATABASE, ROOT, Instance, database_url
from kbportal.embedded.supervisor import Program, Supervisor, write_files
from kbportal.translations import compile_catalogs

READY_TIMEOUT = 120
BACKOFF_TIMEOUT = 15  # a process that keeps dying, in seconds
PORT_PATIENCE = 10
LEAVING = 1
LOG_LINES = 15
WEB_PROCESSES = 2
"""Python answers in one process by one core; two take both of a small machine."""
PREFIXES = ("KB_", "OPENAI_", "ELASTICSEARCH_")
NAMES = ("PORT", "DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE")
SOURCES = ("kbportal", "documents", "governance", "chat", "evaluation", "templates", "locale", "requirements")
SUFFIXES = frozenset({".py", ".html", ".css", ".js", ".svg", ".po", ".txt", ".yaml"})
DEMO_PEOPLE = (
    "ana.ops, joao.poa, maria.rh, carla.rh, bruno.ops, rita.ops, lucas.auditor, paula.indice, otto.incidentes, admin"
)


class Refusal(Exception):
    """What the person has to do, in one line."""


def variables() -> dict[str, str]:
    """The portal's own variables of this shell."""
    return {name: value for name, value in os.environ.items() if name.startswith(PREFIXES) or name in NAMES}


def port() -> int:
    value = os.environ.get("PORT", "").strip() or "8000"
    if not value.isdigit() or not 0 < int(value) < 65536:
        raise Refusal(f"PORT={value} is not a port number.")
    return int(value)


def fingerprint(chosen: dict[str, str]) -> str:
    """Changes with the code and with the variables: the processes that run an older one are restarted."""
    digest = hashlib.sha256(repr(sorted(chosen.items())).encode())
    for path in _sources():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    for name in SOURCES:
        for path in sorted((ROOT / name).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path


def programs(chosen: dict[str, str], state: str) -> list[Program]:
    """What runs here; an address of one's own takes the place of an embedded service."""
    services = []
    if not chosen.get("DATABASE_URL"):
        services.append(Program("postgres", signal="INT", patience=60))
    if not (chosen.get("CELERY_BROKER_URL") and chosen.get("CACHE_URL")):
        services.append(Program("valkey"))
    workers = [Program(name, state, patience=30) for name in ("worker", "bulk")]
    return [*services, *(Program(name, state) for name in web_names(chosen)), *workers]


def web_names(chosen: dict[str, str]) -> list[str]:
    """`web`, `web-2`, …: as many as `KB_WEB_PROCESSES` says."""
    value = chosen.get("KB_WEB_PROCESSES", "").strip() or str(WEB_PROCESSES)
    if not value.isdigit() or not 0 < int(value) <= 64:
        raise Refusal(f"KB_WEB_PROCESSES={value} is not a number from 1 to 64.")
    return ["web", *(f"web-{number}" for number in range(2, int(value) + 1))]


def up(here: Instance) -> None:
    chosen, number = variables(), port()
    state = fingerprint(chosen)
    wanted = programs(chosen, state)
    supervisor = Supervisor(here)
    write_files(here, wanted, chosen)
    if _all_run(supervisor, wanted) and _ready(number):
        _greet(here, number)
        return
    refuse_busy_port(here, supervisor, number)
    supervisor.start()
    services = [program.name for program in wanted if program.name in ("postgres", "valkey")]
    if services:
        print(f"Starting {' and '.join(services)}", flush=True)
        supervisor.apply(services)
    if "postgres" in services:
        _wait_for_database(here, supervisor)
    compile_catalogs()
    print("Migrating the database", flush=True)
    _manage(here, "migrate", "--noinput", "--verbosity", "1")
    _load_demo(here, state)
    print("Starting web and workers", flush=True)
    if supervisor.states().get("web") != "RUNNING":
        shutil.rmtree(here.web_counts, ignore_errors=True)  # of processes that are gone
    own = [program.name for program in wanted if program.state]
    supervisor.apply(own)
    _wait_until_ready(here, supervisor, number, own)
    _greet(here, number)


def _all_run(supervisor: Supervisor, wanted: list[Program]) -> bool:
    states = supervisor.states()
    return {name for name, state in states.items() if state == "RUNNING"} == {
        program.name for program in wanted
    } and not supervisor.outdated()


def refuse_busy_port(here: Instance, supervisor: Supervisor, number: int) -> None:
    """Raise `Refusal` if others hold the port; what is left of our own web processes is waited for."""
    began = last_ours = time.monotonic()
    while _taken(number):
        now, states = time.monotonic(), supervisor.states().items()
        if _web_port(here) == number:
            last_ours = now
            if any(name.startswith("web") and state in ("RUNNING", "STARTING") for name, state in states):
                return
        # What outlived its supervisor needs a moment to leave, and lets go of its lock and of the port one by one.
        if now - last_ours > LEAVING or now - began > PORT_PATIENCE:
            raise Refusal(f"Port {number} is taken by another program. Try: make up PORT={number + 1}")
        time.sleep(0.2)


def _taken(number: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", number))
        except PermissionError:
            raise Refusal(f"Port {number} needs root. Try: make up PORT=8000") from None
        except OSError:
            return True
    return False


def _web_port(here: Instance) -> int | None:
    """The port of our own web processes, if there is one: each holds its lock."""
    for path in here.run.glob("web*.lock"):
        with path.open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int((here.run / "port").read_text())
    return None


def _wait_for_database(here: Instance, supervisor: Supervisor) -> None:
    """Until the server answers; the portal's own database is made the first time."""
    began = time.monotonic()
    while True:
        try:
            with psycopg.connect(database_url(here.short / "postgres", "postgres"), autocommit=True) as connection:
                exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
                if not exists:
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
                return
        except psycopg.OperationalError:
            _give_up_if_dead(here, supervisor, ["postgres"], time.monotonic() - began)
        time.sleep(0.1)


def _wait_until_ready(here: Instance, supervisor: Supervisor, number: int, names: list[str]) -> None:
    began = time.monotonic()
    while not _ready(number):
        _give_up_if_dead(here, supervisor, names, time.monotonic() - began)
        time.sleep(0.2)


def _give_up_if_dead(here: Instance, supervisor: Supervisor, names: list[str], waited: float) -> None:
    """Say what a process said last once it is clear that it does not come."""
    states = supervisor.states()
    for name in names:
        state = states.get(name, "gone")
        patience = {"RUNNING": READY_TIMEOUT, "STARTING": READY_TIMEOUT, "BACKOFF": BACKOFF_TIMEOUT}.get(state, 0)
        if waited < patience:
            continue
        log = here.log / f"{name}.log"
        print("\n".join(log.read_text(errors="replace").splitlines()[-LOG_LINES:]), file=sys.stderr)
        raise Refusal(f"{name} does not come up ({state.lower()}): see above and {log}")


def _ready(number: int) -> bool:
    connection = HTTPConnection("127.0.0.1", number, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _manage(here: Instance, *arguments: str) -> None:
    command = [sys.executable, str(ROOT / "manage.py"), *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"OMP_WAIT_POLICY": "passive", "KB_VAR": str(here.var)}, check=False
    )
    if done.returncode:
        raise Refusal(f"`manage.py {arguments[0]}` failed, see above. Then run `make up` again.")


def _load_demo(here: Instance, state: str) -> None:
    """Once for each version of the code: the import itself leaves alone what is there."""
    stamp = here.var / "demo-loaded"
    if os.environ.get("KB_DEMO", "").strip() == "0" or (stamp.exists() and stamp.read_text() == state):
        return
    print("Loading the demo corpus", flush=True)
    _manage(here, "load_demo")
    stamp.write_text(state)


def _greet(here: Instance, number: int) -> None:
    print(f"\nThe portal answers at http://127.0.0.1:{number}/ (logs: make logs, stop: make down)")
    if (here.var / "demo-loaded").exists():
        word = os.environ.get("KB_DEMO_PASSWORD") or "demo"
        print(f"Demo logins, password {word}: {DEMO_PEOPLE}")
