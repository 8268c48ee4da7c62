"""What the pages weigh, and how soon they show something and can be used: `python -m tests.browser.measure [URL]`.

Weight is what the server sends, compressed by gzip, without fonts. The other two are taken on loopback, with an empty
cache and the processor slowed down four times (Chromium's own throttle); the median of `RUNS`. A page can be used once
it is loaded, its scripts have run, and the frame after that is drawn. The manual of forty pages is measured where it
was imported: `python -m tests.browser.long_manual FOLDER`, then `manage.py import_corpus FOLDER`.
"""

from __future__ import annotations

import gzip
import statistics
import sys
from collections.abc import Sequence

from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.browser import long_manual
from tests.browser.conftest import CHROMIUM
from tests.browser.portal import sign_in

RUNS = 5
SLOWER = 4
PAGES = (
    ("ana.ops", "/"),
    ("ana.ops", "/documentos/"),
    ("ana.ops", "/documentos/ops-cd-sp/"),
    ("ana.ops", f"/documentos/{long_manual.CODE}/"),
    ("ana.ops", f"/documentos/{long_manual.CODE}/comparar/"),
    ("lucas.auditor", "/evidencias/"),
    ("lucas.auditor", "/painel/"),
    ("bruno.ops", "/admin/"),
)
PAINTED = """() => new Promise(resolve => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) return resolve(found.startTime);
  new PerformanceObserver(list => resolve(list.getEntries()[0].startTime)).observe({type: "paint", buffered: true});
})"""
USABLE = """() => new Promise(resolve => {
  const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  if (document.readyState === "complete") drawn();
  else addEventListener("load", drawn);
})"""


def weight(page: Page, path: str) -> int:
    """Bytes of the page and all that it loads."""
    page.goto("about:blank")  # what an earlier page still loads is not this one's
    responses: list[Response] = []

    def keep(response: Response) -> None:
        responses.append(response)

    page.on("response", keep)
    page.goto(path, wait_until="networkidle")
    page.remove_listener("response", keep)
    loaded = [one for one in responses if one.ok and one.request.resource_type != "font"]
    return sum(len(gzip.compress(one.body())) for one in loaded)


def moments(browser: Browser, url: str, state: object, path: str) -> tuple[float, float]:
    """Milliseconds from the start of the navigation to the first paint, and until the page can be used."""
    context = browser.new_context(base_url=url, storage_state=state)  # type: ignore[arg-type]
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="commit")
    usable, painted = float(page.evaluate(USABLE)), float(page.evaluate(PAINTED))
    context.close()
    return painted, usable


def main(urls: Sequence[str]) -> None:
    url = urls[0] if urls else "http://127.0.0.1:8000"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        print(f"{'page':48} {'kB':>6} {'first paint, ms':>16} {'usable, ms':>11}")
        for username, path in PAGES:
            context = browser.new_context(base_url=url)
            page = context.new_page()
            sign_in(page, username)
            found = page.goto(path)
            if found is None or not found.ok:
                print(f"{path:48} is not there")
                continue
            size, state = weight(page, path), context.storage_state()
            taken = [moments(browser, url, state, path) for _ in range(RUNS)]
            painted, usable = (statistics.median(values) for values in zip(*taken, strict=True))
            print(f"{path:48} {size / 1000:6.0f} {painted:16.0f} {usable:11.0f}")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
