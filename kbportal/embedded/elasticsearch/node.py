"""One node as a process: its command line, its start, and whether it answers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from kbportal import env
from kbportal.embedded.launch import stop_with_parent

START_TIMEOUT = 300  # a start takes some five seconds of a core that is free
HEAP = "512m"
"""Enough for some 200,000 passages; `ELASTICSEARCH_HEAP` says another, as it does for the containers."""
BRIEF = "-XX:TieredStopAtLevel=1"
"""For a node that lives for some minutes: it is compiled once and quickly, which halves what its start costs."""
UNWATCHED = "cluster.info.update.interval=1h"
"""A node that looks at its disk and finds room lifts the block of a full one, which a test has set."""
SETTINGS = {
    "http.host": "127.0.0.1",
    "transport.host": "127.0.0.1",
    "action.auto_create_index": "false",
    # Absolute: a large disk that is 95 % full has room enough for a node of one's own.
    "cluster.routing.allocation.disk.watermark.low": "2gb",
    "cluster.routing.allocation.disk.watermark.high": "1gb",
    "cluster.routing.allocation.disk.watermark.flood_stage": "500mb",
}


class NotStarted(RuntimeError):
    """The node did not come up; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node lives: its name, its data and log, and its two ports on loopback."""

    name: str
    folder: Path
    http: int
    transport: int

    @property
    def data(self) -> Path:
        return self.folder / f"data-{self.name}"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


def command(home: Path, place: Place, together: Sequence[Place] = (), *java_options: str) -> list[str]:
    """The command line of a node; `together` are all nodes of its cluster, itself included."""
    chosen = SETTINGS | {
        "cluster.name": "kbportal",
        "node.name": place.name,
        "path.data": str(place.data),
        "http.port": str(place.http),
        "transport.port": str(place.transport),
    }
    if len(together) > 1:
        chosen["discovery.seed_hosts"] = ",".join(f"127.0.0.1:{one.transport}" for one in together)
        chosen["cluster.initial_master_nodes"] = ",".join(one.name for one in together)
    else:
        chosen["discovery.type"] = "single-node"
    java = shutil.which("java") or "java"
    heap = env.text("ELASTICSEARCH_HEAP", HEAP)
    options = [
        f"-Xms{heap}",
        f"-Xmx{heap}",
        *java_options,
        f"-Des.path.home={home}",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
    ]
    path = f"{home}/lib/*:{home}/classes"
    return [
        java,
        *options,
        "-cp",
        path,
        "PortalNode",
        str(home),
        *(f"{name}={value}" for name, value in chosen.items()),
    ]


def start(
    home: Path, place: Place, together: Sequence[Place] = (), through: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    """Start a node that ends with this process, for tests; `through` is a command that becomes the one it is given."""
    place.folder.mkdir(parents=True, exist_ok=True)
    parent = os.getpid()
    with place.log.open("ab") as log:
        return subprocess.Popen(
            [*through, *command(home, place, together, BRIEF), UNWATCHED],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=lambda: stop_with_parent(parent, signal.SIGTERM),  # noqa: PLW1509 (it calls one system function)
        )


def wait(process: subprocess.Popen[bytes], place: Place, nodes: int = 1) -> None:
    """Until a cluster of so many nodes answers; raises `NotStarted`."""
    deadline = time.monotonic() + START_TIMEOUT
    while health(place.http).get("number_of_nodes") != nodes:
        if process.poll() is not None or time.monotonic() > deadline:
            last = "\n".join(place.log.read_text(errors="replace").splitlines()[-12:])
            raise NotStarted(f"{last}\nElasticsearch did not start: see above and {place.log}")
        time.sleep(0.2)


def health(port: int) -> Mapping[str, object]:
    """What the cluster says of itself; empty while nothing answers there."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/_cluster/health")
        answer = connection.getresponse()
        found = json.loads(answer.read()) if answer.status == 200 else {}
        return found if isinstance(found, dict) else {}
    except (OSError, HTTPException, ValueError):
        return {}
    finally:
        connection.close()
