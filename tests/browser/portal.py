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

from playwright.sync_api import Page

from kbportal.embedded.elasticsearch.node import free_port
from kbportal.embedded.paths import ROOT
from tests.instance import Portal
from tests.shared import locked


@contextmanager
def running(shared: Path) -> Iterator[Portal]:
    """The instance of this run, in a folder of the run: the first to come starts it, the last to leave stops it."""
    if given := os.environ.get("KB_PORTAL_URL"):
        yield Portal(Path(os.environ.get("KB_VAR", ROOT / "var")).resolve(), urlsplit(given).port, KB_DEMO="1")
        return
    state = shared / "portal.json"
    with locked(shared / "portal.lock"):
        held = json.loads(state.read_text()) if state.exists() else {"port": free_port(), "users": 0}
        portal = Portal(shared / "var", held["port"], KB_DEMO="1")
        if not held["users"]:
            portal.up()
        held["users"] += 1
        state.write_text(json.dumps(held))
    try:
        yield portal
    finally:
        with locked(shared / "portal.lock"):
            held = json.loads(state.read_text())
            held["users"] -= 1
            state.write_text(json.dumps(held))
            if not held["users"]:
                portal.down()


def sign_in(page: Page, username: str) -> None:
    page.goto("/entrar/")
    page.get_by_label("Usuário").fill(username)
    page.get_by_label("Senha").fill("demo")
    page.get_by_role("button", name="Entrar").click()
    page.wait_for_url(lambda url: "/entrar/" not in url)


@contextmanager
def visiting(portal: Portal, *, alone: bool) -> Iterator[None]:
    """While somebody looks at the portal; `alone` for who is about to harm it, and waits until nobody else does."""
    with locked(portal.here.run / "visitors.lock", fcntl.LOCK_EX if alone else fcntl.LOCK_SH):
        yield
