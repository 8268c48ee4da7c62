"""The portal with its demo corpus and people, once for a whole run of the suite.

`KB_PORTAL_URL` (and `KB_VAR`, for commands) point the tests at an instance that runs already: they then start nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from kbportal.embedded.paths import ROOT
from tests.instance import Portal, free_port


@contextmanager
def running(shared: Path) -> Iterator[Portal]:
    """The instance of this run, in a folder of the run: the first to come starts it, the last to leave stops it."""
    if given := os.environ.get("KB_PORTAL_URL"):
        yield Portal(Path(os.environ.get("KB_VAR", ROOT / "var")).resolve(), urlsplit(given).port, KB_DEMO="1")
        return
    state = shared / "portal.json"
    with _locked(shared):
        held = json.loads(state.read_text()) if state.exists() else {"port": free_port(), "users": 0}
        portal = Portal(shared / "var", held["port"], KB_DEMO="1")
        if not held["users"]:
            portal.up()
        held["users"] += 1
        state.write_text(json.dumps(held))
    try:
        yield portal
    finally:
        with _locked(shared):
            held = json.loads(state.read_text())
            held["users"] -= 1
            state.write_text(json.dumps(held))
            if not held["users"]:
                portal.down()


@contextmanager
def _locked(shared: Path) -> Iterator[None]:
    with (shared / "portal.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
