"""The product as `make up` starts it, once for a whole run of the suite, with the demo corpus and its people.

`KB_PORTAL_URL` (and `KB_VAR`, for commands) point the tests at an instance that runs already: they then start nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kbportal.embedded.paths import ROOT

INHERITED = ("PATH", "HOME", "LANG", "TMPDIR")
WITHOUT_DATABASE = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}


@dataclass(frozen=True)
class Portal:
    """`url` ends without a slash; `manage` runs one command of the portal's own, as its user would."""

    url: str
    var: Path

    def manage(self, *arguments: str, accept: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=_environment(self.var),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in accept, done.stdout + done.stderr
        return done.stdout


@contextmanager
def running(shared: Path) -> Iterator[Portal]:
    """The instance of this run, in a folder of the run: the first to come starts it, the last to leave stops it."""
    if given := os.environ.get("KB_PORTAL_URL"):
        yield Portal(given.rstrip("/"), Path(os.environ.get("KB_VAR", ROOT / "var")).resolve())
        return
    state = shared / "portal.json"
    with _locked(shared):
        held = json.loads(state.read_text()) if state.exists() else {"port": _free_port(), "users": 0}
        if not held["users"]:
            _embedded("up", shared / "var", held["port"])
        held["users"] += 1
        state.write_text(json.dumps(held))
    try:
        yield Portal(f"http://127.0.0.1:{held['port']}", shared / "var")
    finally:
        with _locked(shared):
            held = json.loads(state.read_text())
            held["users"] -= 1
            state.write_text(json.dumps(held))
            if not held["users"]:
                _embedded("down", shared / "var", held["port"])


@contextmanager
def _locked(shared: Path) -> Iterator[None]:
    with (shared / "portal.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _environment(var: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    return kept | WITHOUT_DATABASE | {"KB_VAR": str(var)}


def _embedded(command: str, var: Path, port: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kbportal.embedded", command],
        cwd=ROOT,
        env=_environment(var) | {"PORT": str(port)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
