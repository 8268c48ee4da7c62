"""The product as `make up` runs it, in a folder of the tests: real processes, driven as the Makefile drives them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from kbportal.embedded.elasticsearch.node import free_port
from kbportal.embedded.paths import ROOT, Instance
from kbportal.embedded.supervisor import Supervisor

INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")
PATIENCE = 120
"""Seconds until something that must happen by itself has to have happened."""


class Portal:
    """One instance; `variables` are its environment beside folder and port."""

    def __init__(self, var: Path, port: int | None = None, **variables: str) -> None:
        self.here = Instance(var)
        self.port = port or free_port()
        self.variables = {"KB_DEMO": "0", "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"} | variables

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """`up`, `down` or `logs` of `kbportal.embedded`."""
        return self._call(["-m", "kbportal.embedded", command], variables)

    def up(self, **variables: str) -> str:
        done = self.run("up", **variables)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def down(self) -> None:
        done = self.run("down")
        assert done.returncode == 0, done.stdout + done.stderr

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command of `manage.py` on this instance, whatever its exit status."""
        return self._call(["manage.py", *arguments], {})

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """The same, left to run."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        return subprocess.Popen([sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment(), **pipes)

    def manage(self, *arguments: str, accept: tuple[int, ...] = (0,)) -> str:
        """Standard output of a command that must end with one of the exit statuses of `accept`."""
        done = self.command(*arguments)
        assert done.returncode in accept, done.stdout + done.stderr
        return done.stdout

    def pids(self) -> dict[str, int]:
        return {info["name"]: info["pid"] for info in Supervisor(self.here)._remote.getAllProcessInfo()}

    def kill(self, name: str) -> int:
        """`kill -9` to one of the processes; returns the id that it had."""
        pid = self.pids()[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def ready(self) -> bool:
        try:
            with urlopen(f"{self.url}/health/ready", timeout=5) as answer:
                return bool(json.load(answer)["status"] == "ok")
        except (OSError, HTTPError):
            return False

    def _call(self, arguments: list[str], variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        env = self.environment(variables)
        return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    def environment(self, variables: dict[str, str] | None = None) -> dict[str, str]:
        kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
        return kept | self.variables | {"KB_VAR": str(self.here.var), "PORT": str(self.port)} | (variables or {})


def eventually(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.1)
