"""What every page must hold: no violation of the policy, none that axe finds, no text left in the other language."""

from __future__ import annotations

from functools import cache

import polib
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from kbportal.translations import CATALOG, LOCALE

PHONE, DESK = 360, 1280
widths = pytest.mark.parametrize("width", [PHONE, DESK])
looks = pytest.mark.parametrize(("width", "scheme"), [(PHONE, "dark"), (DESK, "light")])
"""Each width and each scheme once: what a colour is does not depend on how wide a page is."""

TEXTS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest("[lang]:not(html), script, code, .quote, .text")) found.add(node.data.trim());
  }
  for (const node of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"]) found.add((node.getAttribute(name) || "").trim());
  return [...found];
}"""

LIGHT = "() => matchMedia('(prefers-color-scheme: light)').matches"
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


CUT = """() => {
  const cut = [];
  for (const control of document.querySelectorAll("form :is(input, select, textarea, button):not([type=hidden])")) {
    const box = control.getBoundingClientRect();
    const frame = control.closest("form").parentElement.getBoundingClientRect();
    const seen = box.width > 1 && control.checkVisibility();
    const hidden = !seen || control.closest(".visually-hidden, .results, .table, .to-answer");
    if (!hidden && (box.right > frame.right + 1 || box.left < frame.left - 1)) cut.push(control.name || control.id);
  }
  return cut;
}"""


def check(page: Page) -> None:
    """All that can be told of one page as it is now. Policy violations are collected by the fixture `browse`."""
    fits(page)
    accessible(page)
    in_one_language(page)


def fits(page: Page) -> None:
    """Nothing makes the page scroll sideways; a wide table scrolls in its own frame."""
    assert page.evaluate(WIDER) <= 0, f"{page.url} is wider than {page.viewport_size}"
    cut = page.evaluate(CUT)
    assert not cut, f"{page.url}: cut off at the side of their form: {cut}"


def accessible(page: Page) -> None:
    # Preloading style sheets makes axe write inline styles where one imports another: the policy refuses them.
    # Half of the time of axe goes into contrasts: of a phone they are looked at in the dark, else at a desk.
    twice = page.viewport_size is not None and page.viewport_size["width"] == PHONE and page.evaluate(LIGHT)
    rules = {"color-contrast": {"enabled": not twice}}
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False, "rules": rules})
    lines = [
        f"{violation['id']}: {violation['help']} at {[node['target'] for node in violation['nodes']][:5]}"
        for violation in found.response["violations"]
    ]
    assert not lines, "\n".join([page.url, *lines])


def in_one_language(page: Page) -> None:
    """No text of the page is, word for word, a message of the catalog in the language that the page doesn't speak."""
    portuguese = page.locator("html").get_attribute("lang") == "pt-br"
    english, translated = _catalog()
    foreign = english if portuguese else translated
    left = sorted(set(page.evaluate(TEXTS)) & foreign)
    assert not left, f"{page.url} says {left}"


@cache
def _catalog() -> tuple[frozenset[str], frozenset[str]]:
    """Messages in English that Portuguese says otherwise, and their translations; names and short codes aside."""
    pairs = [
        (entry.msgid, entry.msgstr)
        for entry in polib.pofile(str(LOCALE / CATALOG))
        if entry.msgstr and entry.msgstr != entry.msgid and "%" not in entry.msgid
    ]
    english, portuguese = {source for source, _target in pairs}, {target for _source, target in pairs}
    return frozenset(english - portuguese), frozenset(portuguese - english)
