"""A node in the background, as `make elasticsearch` starts it.

While it lives the node locks a file that holds its process id and port, so that start and stop may be repeated and
interrupted: each goes on from whatever is there.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from kbportal.embedded.elasticsearch import node
from kbportal.embedded.elasticsearch.home import ensure_home
from kbportal.embedded.launch import hold
from kbportal.embedded.paths import ROOT

FIRST_PORT = 9200
NAME = "portal"
LOG = f"{NAME}.log"
LOCK_TIMEOUT = 15
STOP_TIMEOUT = 60


def up(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "command.lock").open("w") as command:
        fcntl.flock(command, fcntl.LOCK_EX)
        if _running(folder) is None:
            _start(folder)
        port = _wait(folder)
    url = f"http://127.0.0.1:{port}"
    print(f"Elasticsearch answers at {url} (log: {folder / LOG}, stop: make down)")
    print(f"The portal on it: KB_ENGINE=elasticsearch ELASTICSEARCH_URL={url} make up")


def down(folder: Path) -> bool:
    """Stop the node and wait for it; False when none runs."""
    running = _running(folder)
    if running is None:
        return False
    os.kill(running[0], signal.SIGTERM)
    deadline = time.monotonic() + STOP_TIMEOUT
    while _running(folder) is not None:
        if time.monotonic() > deadline:
            raise node.NotStarted(f"Elasticsearch still stops after {STOP_TIMEOUT} s: see {folder / LOG}")
        time.sleep(0.1)
    return True


def become_node(folder: Path, home: Path) -> None:
    """Take the lock, say who holds it, and turn into the node; the process id stays."""
    lock = hold(folder / "node.lock")
    place = node.Place(NAME, folder, _port(), node.free_port())
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()} {place.http}".encode(), 0)
    command = node.command(home, place)
    os.execv(command[0], command)


def _start(folder: Path) -> None:
    if not list(folder.glob("node-*")):
        print("Fetching Elasticsearch's jars with Maven; the first time takes a minute.", flush=True)
    home = ensure_home(folder)
    print("Starting Elasticsearch", flush=True)
    with (folder / LOG).open("wb") as log:
        subprocess.Popen(
            [sys.executable, "-m", "kbportal.embedded.elasticsearch", "node", str(folder), str(home)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _running(folder: Path) -> tuple[int, int] | None:
    """Process id and port of the node that holds the lock; zeros while it is about to say so."""
    try:
        with (folder / "node.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except FileNotFoundError:
        return None
    except BlockingIOError:
        pid, _, port = (folder / "node.lock").read_text().partition(" ")
        return int(pid or 0), int(port or 0)


def _wait(folder: Path) -> int:
    """The port, once the node answers there."""
    began = time.monotonic()
    while True:
        running = _running(folder)
        if running and node.health(running[1]):
            return running[1]
        waited = time.monotonic() - began
        if waited > node.START_TIMEOUT or (running is None and waited > LOCK_TIMEOUT):
            last = "\n".join((folder / LOG).read_text(errors="replace").splitlines()[-12:])
            raise node.NotStarted(f"{last}\nElasticsearch does not come up: see above and {folder / LOG}")
        time.sleep(0.2)


def _port() -> int:
    """The usual port, or the next that nobody has."""
    port = FIRST_PORT
    while node.taken(port):
        port += 1
    return port
