"""Chromium on the running product. Without a Chromium these tests are skipped, except where CI demands them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.look import DESK
from tests.browser.portal import running, sign_in, visiting
from tests.instance import Portal
from tests.shared import of_the_run

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
"""Without its windows, where it is there: that takes a third of its processor time."""
PATIENCE_MS = 60_000
Browse = Callable[..., Page]
expect.set_options(timeout=PATIENCE_MS)

WATCH = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`POLICY ${event.violatedDirective} ${event.blockedURI}`));"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    with running(of_the_run(tmp_path_factory)) as here:
        yield here


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser a module: while Playwright's own loop stands, Django refuses the database to this process."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs Chromium for the pages: apt-get install chromium-headless-shell")
        pytest.skip("no Chromium on this machine: apt install chromium-headless-shell to test the pages")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def signed_in(portal: Portal, chromium: Browser) -> Callable[[str], Any]:
    """Username → the cookies of a session; each person signs in once a module."""
    held: dict[str, Any] = {}

    def cookies(username: str) -> Any:
        if username not in held:
            context = chromium.new_context(base_url=portal.url)
            sign_in(context.new_page(), username)
            held[username] = context.storage_state()
            context.close()
        return held[username]

    return cookies


@pytest.fixture
def browse(
    request: pytest.FixtureRequest, portal: Portal, chromium: Browser, signed_in: Callable[[str], Any]
) -> Iterator[Browse]:
    """`browse("ana.ops", width=360, language="en", **context options)` → a page of that person.

    A test that is marked `alone` has the portal to itself. A violation of the content security policy or an error of a
    script on any of the pages fails the test.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(username: str | None = None, *, width: int = DESK, language: str = "pt-br", **options: Any) -> Page:
        state = signed_in(username) if username else None
        context = chromium.new_context(
            base_url=portal.url, storage_state=state, viewport={"width": width, "height": 800}, **options
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies([{"name": "django_language", "value": language, "url": portal.url}])
        if options.get("java_script_enabled", True):
            context.add_init_script(WATCH)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        page.on("console", lambda said: faults.append(f"{page.url}: {said.text}") if _policy(said.text) else None)
        return page

    with visiting(portal, alone=request.node.get_closest_marker("alone") is not None):
        yield open_page
        for context in contexts:
            context.close()
    assert not faults, "\n".join(faults)


def _policy(text: str) -> bool:
    return text.startswith("POLICY") or "Content Security Policy" in text
