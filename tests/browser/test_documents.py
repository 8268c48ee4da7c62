"""The list of documents, the page of one and two of its versions, in a real browser."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import long_manual
from tests.browser.conftest import Browse
from tests.browser.look import DESK, PHONE, check, in_one_language, looks, widths
from tests.browser.portal import Portal

MOST_BYTES = 150_000
WEIGHT = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
SEEN = """(element) => {
  const box = element.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.width > 0;
}"""


@pytest.fixture(scope="module")
def manual(portal: Portal, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a document of forty pages in two versions."""
    portal.manage("import_corpus", str(long_manual.write(tmp_path_factory.mktemp("manual") / "folder", brief=True)))
    return f"/documentos/{long_manual.CODE}/"


def quoted(page: Page, address: str) -> str:
    """The address that marks the quote, as a citation gives it."""
    held = page.request.get(f"/api/documents/{address.split('/')[2]}/").json()["revision"]
    revision = page.request.get(f"/api/revisions/{held['id']}/").json()
    section = next(each for each in revision["sections"] if long_manual.QUOTE in each["text"])
    start = section["body_start"] + section["text"].index(long_manual.QUOTE)
    return f"{held['url']}?trecho={held['id']}:{start}-{start + len(long_manual.QUOTE)}#{section['anchor']}"


@looks
def test_every_page_looks_right(browse: Browse, manual: str, width: int, scheme: str) -> None:
    page = browse("ana.ops", width=width, color_scheme=scheme)
    for address in (
        *("/documentos/", "/documentos/?q=viagem&area=rh&in_force_on=2025-03-01", "/documentos/?q=nada+disso"),
        *("/documentos/?in_force_on=ontem&kind=x", manual, f"{manual}comparar/", "/documentos/reembolso-viagem/"),
        *("/documentos/home-office/v1/", "/documentos/ops-cd-sp/comparar/"),
    ):
        page.goto(address)
        check(page)


def test_every_page_speaks_english_too(browse: Browse, manual: str) -> None:
    page = browse("ana.ops", language="en")
    for address in ("/documentos/?q=x", "/documentos/?area=rh", manual, f"{manual}v1/", f"{manual}comparar/"):
        page.goto(address)
        in_one_language(page)
    page.goto("/documentos/home-office/v1/")
    check(page)


@widths
def test_a_citation_opens_at_its_quote(browse: Browse, manual: str, width: int) -> None:
    page = browse("ana.ops", width=width)
    page.goto(quoted(page, manual))
    mark = page.locator("mark")
    expect(mark).to_have_text(long_manual.QUOTE)
    page.wait_for_function(f"(({SEEN})(document.querySelector('mark')))")
    check(page)


@widths
def test_without_scripts_the_quote_is_one_link_away(browse: Browse, manual: str, width: int) -> None:
    page = browse("ana.ops", width=width, java_script_enabled=False)
    page.goto(quoted(page, manual).partition("#")[0])
    page.get_by_role("link", name="Ir ao trecho citado").click()
    assert page.url.endswith("#_trecho")
    box, height = page.locator("mark").bounding_box(), page.viewport_size
    assert box is not None
    assert height is not None
    assert 0 <= box["y"] < height["height"]


def test_without_scripts_one_still_finds_reads_and_compares(browse: Browse, manual: str) -> None:
    page = browse("ana.ops", width=PHONE, java_script_enabled=False)
    page.goto("/documentos/")
    page.get_by_label("Título ou código").fill("QUARENTA paginas")
    page.get_by_role("button", name="Buscar").click()
    page.get_by_role("link", name=re.compile("^Manual integrado")).click()
    page.locator("summary", has_text="Sumário").click()
    page.get_by_role("link", name=re.compile(r"^28\. ")).first.click()
    assert page.url.endswith("#secao-28")
    page.get_by_role("link", name="Comparar versões").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("O que mudou da v1 para a v2")
    page.locator("details.same > summary").first.click()
    expect(page.locator("details.same[open]")).to_have_count(1)


def test_the_contents_stay_beside_and_follow_the_reading(browse: Browse, manual: str) -> None:
    page = browse("ana.ops", width=DESK)
    page.goto(manual)
    contents = page.get_by_role("navigation", name="Sumário")
    contents.get_by_role("link", name=re.compile(r"^28\. ")).click()
    current = contents.locator("[aria-current=location]")
    expect(current).to_have_text(re.compile(r"^28\. "))
    page.wait_for_function("document.querySelector('.toc [aria-current]').getBoundingClientRect().top > 0")
    assert current.evaluate(SEEN)


def test_on_a_phone_the_contents_are_folded_and_rows_are_cards(browse: Browse, manual: str) -> None:
    page = browse("ana.ops", width=PHONE)
    page.goto(manual)
    expect(page.get_by_role("link", name=re.compile(r"^28\. "))).to_have_count(0)
    page.locator("summary", has_text="Sumário").press("Enter")
    expect(page.get_by_role("link", name=re.compile(r"^28\. ")).first).to_be_visible()
    row = page.locator(".cells tbody tr").first
    expect(row.locator(".cell-label").first).to_be_visible()
    assert row.inner_text().startswith("Etapa: ")


def test_forty_pages_are_light(browse: Browse, manual: str) -> None:
    for address in (manual, f"{manual}v1/", f"{manual}comparar/", "/documentos/"):
        page = browse("ana.ops")
        page.goto(address, wait_until="load")
        weight = page.evaluate(WEIGHT)
        assert 0 < weight <= MOST_BYTES, (address, weight)


def test_the_keyboard_alone_finds_a_document_and_what_changed(browse: Browse, manual: str) -> None:
    page = browse("ana.ops")
    page.goto("/documentos/")
    page.get_by_label("Título ou código").focus()
    page.keyboard.type("quarenta paginas")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=quarenta**")
    _tab_to(page, re.compile("^Manual integrado"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Manual integrado"))
    _tab_to(page, re.compile("^O que mudou desde a v1"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("O que mudou da v1 para a v2")
    assert page.locator("ins", has_text="4").count()


def test_the_original_is_downloaded_as_it_was_handed_in(browse: Browse, manual: str, tmp_path: Path) -> None:
    page = browse("ana.ops")
    page.goto(manual)
    with page.expect_download() as held:
        page.get_by_role("link", name="Baixar o original").click()
    held.value.save_as(tmp_path / "original")
    data = (tmp_path / "original").read_bytes()
    assert held.value.suggested_filename == f"{long_manual.CODE}-v2.md"
    assert data == (long_manual.write(tmp_path / "again", brief=True) / "v2.md").read_bytes()
    expect(page.locator("code.hash")).to_have_text(hashlib.sha256(data).hexdigest())


def test_paper_shows_the_text_and_what_is_known_of_it(browse: Browse, manual: str) -> None:
    page = browse("ana.ops")
    page.goto(manual)
    page.emulate_media(media="print")
    expect(page.get_by_role("navigation")).to_have_count(0)
    expect(page.get_by_role("article")).to_be_visible()
    expect(page.get_by_text("A cópia impressa não muda quando a regra muda")).to_be_visible()
    expect(page.get_by_role("link", name="Perguntar sobre este documento")).to_be_hidden()


def _tab_to(page: Page, name: re.Pattern[str], most: int = 220) -> None:
    for _press in range(most):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent.trim()")
        if name.search(focused):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none"
            return
    raise AssertionError(f"no element with the words {name.pattern} takes the focus")
