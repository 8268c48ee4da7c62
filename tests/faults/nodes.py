"""Real Elasticsearch nodes that tests kill, hold up, and start again on the data that they left."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kbportal.embedded.elasticsearch import node
from tests.documents.search.nodes import home

GONE_FOR = 3.0
"""Seconds for which a node is away."""


class Nodes:
    """A cluster of one or several nodes in a folder of its own."""

    def __init__(self, folder: Path, count: int) -> None:
        self.through: list[str] = []
        """A command that runs whatever node is started from now on."""
        self.places = [node.Place(f"n{n}", folder, node.free_port(), node.free_port()) for n in range(count)]
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        for place in self.places:
            self._start(place)
        self._wait()

    @property
    def urls(self) -> str:
        return ",".join(place.url for place in self.places)

    def kill(self, number: int) -> None:
        """SIGKILL, and after a while a new start as a service manager makes it."""
        place = self.places[number]
        self._processes[place.name].kill()
        self._processes[place.name].wait()
        time.sleep(GONE_FOR)
        self._start(place)
        self._wait()

    def hold_up(self, number: int) -> None:
        """The node does nothing for a while: what the others hold by then, its copies lack."""
        process = self._processes[self.places[number].name]
        process.send_signal(signal.SIGSTOP)
        time.sleep(GONE_FOR)
        process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()

    def _start(self, place: node.Place) -> None:
        self._processes[place.name] = node.start(home(), place, self.places, self.through)

    def _wait(self) -> None:
        for place in self.places:
            node.wait(self._processes[place.name], place, nodes=len(self.places))


@contextmanager
def running(count: int) -> Iterator[Nodes]:
    folder = Path(tempfile.mkdtemp(prefix="kbportal-es-"))
    nodes = Nodes(folder, count)
    try:
        yield nodes
    finally:
        nodes.stop()
        shutil.rmtree(folder)
