"""Owners and approvers in a real browser: a text from a file to the day it counts, and every page of theirs."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Browse
from tests.browser.look import PHONE, check, in_one_language, looks, widths

TEXT = "# Política de mascotes\n\n## Prazos\n\nO pedido de mascote deve ser enviado em até cinco dias úteis.\n"


def open_work(page: Page, code: str) -> None:
    """From the first page to the work screen, by the line that waits."""
    page.goto("/admin/")
    page.get_by_role("link", name=f"{code}@v1").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("mascotes")


def make_document(page: Page) -> str:
    """A document of one's own; the page is then the one to which its file is sent."""
    code = f"mascotes-{uuid.uuid4().hex[:8]}"
    page.goto("/admin/")
    page.get_by_role("link", name="Novo documento").click()
    page.locator("#id_code").fill(code)
    page.locator("#id_title").fill("Política de mascotes")
    page.locator("#id_kind").select_option("policy")
    page.locator("#id_area").select_option(label="Recursos Humanos")
    page.locator("#id_owner").fill("maria.rh")
    page.locator("#id_readers").fill("group:todos")
    page.locator("#id_reason").fill("Assunto novo")
    page.locator("input[name=_save]").click()
    page.wait_for_url(lambda url: not url.endswith("/add/"))  # it is there before anything else is asked for
    page.goto(f"/admin/documents/revision/upload/?document={code}")
    return code


def send_file(page: Page, folder: Path) -> None:
    file = folder / "mascotes.md"
    file.write_text(TEXT)
    page.get_by_label("Arquivo").set_input_files(file)
    page.get_by_label("Motivo").fill("Primeiro texto")
    check(page)
    page.get_by_role("button", name="Ler o arquivo").click()
    expect(page.get_by_text("cinco dias úteis").first).to_be_visible()
    check(page)
    page.get_by_role("button", name="Criar o rascunho").click()


def take(page: Page, name: str, reason: str, day: date | None = None) -> None:
    form = page.get_by_role("form", name=name, exact=True)
    form.get_by_label("Motivo").fill(reason)
    if day is not None:
        form.get_by_label("A partir do dia").fill(day.isoformat())
    form.get_by_role("button", name=name).click()


@widths
def test_a_text_goes_from_a_file_to_the_day_on_which_it_counts(browse: Browse, tmp_path: Path, width: int) -> None:
    maria, carla = browse("maria.rh", width=width), browse("carla.rh", width=width)
    code = make_document(maria)
    send_file(maria, tmp_path)
    expect(maria.locator("main .heading .badge")).to_have_text("rascunho")
    check(maria)
    form = maria.get_by_role("form", name="Enviar para revisão", exact=True)
    form.get_by_role("button").click()
    assert maria.evaluate("document.activeElement.name").endswith("-reason"), "a move asks for its reason"
    take(maria, "Enviar para revisão", "Pronto para revisão")
    expect(maria.locator("main .heading .badge")).to_have_text("em revisão")
    open_work(carla, code)
    check(carla)
    take(carla, "Aprovar", "Confere com o original")
    expect(carla.locator("main .heading .badge")).to_have_text("aprovada")
    open_work(maria, code)
    maria.get_by_role("button", name="Ver que respostas mudariam").click()
    expect(maria.get_by_role("button", name="Calcular de novo")).to_be_visible(timeout=300_000)
    check(maria)
    start = date.today() + timedelta(30)
    take(maria, "Publicar", "Vale a partir do mês que vem", start)
    expect(maria.locator("main .heading .badge")).to_have_text("publicada")
    expect(maria.get_by_text("Vale a partir do mês que vem")).to_be_visible()
    check(maria)
    maria.goto(f"/documentos/{code}/v1/")
    expect(maria.get_by_text("cinco dias úteis").first).to_be_visible()


def tab_to(page: Page, selector: str) -> None:
    """By the keyboard alone, as far as there is anything to reach."""
    for _press in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} can't be reached by keyboard on {page.url}")


def test_an_approver_decides_by_keyboard_alone(browse: Browse, tmp_path: Path) -> None:
    maria = browse("maria.rh")
    code = make_document(maria)
    send_file(maria, tmp_path)
    take(maria, "Enviar para revisão", "Pronto")
    maria.context.close()  # keys go to the window in front
    carla = browse("carla.rh")
    carla.goto("/admin/")
    link = carla.get_by_role("link", name=f"{code}@v1").first.get_attribute("href")
    tab_to(carla, f'a[href="{link}"]')
    carla.keyboard.press("Enter")
    carla.wait_for_url("**/workbench/")
    tab_to(carla, "#id_approve-reason")
    carla.keyboard.type("Confere")
    carla.keyboard.press("Tab")
    carla.keyboard.press("Enter")
    expect(carla.locator("main .heading .badge")).to_have_text("aprovada")


def test_moves_work_without_scripts(browse: Browse, tmp_path: Path) -> None:
    maria = browse("maria.rh", java_script_enabled=False)
    make_document(maria)
    file = tmp_path / "mascotes.md"
    file.write_text(TEXT)
    maria.get_by_label("Arquivo").set_input_files(file)
    maria.get_by_label("Motivo").fill("Primeiro texto")
    maria.get_by_role("button", name="Ler o arquivo").click()
    maria.get_by_role("button", name="Criar o rascunho").click()
    take(maria, "Enviar para revisão", "Pronto")
    expect(maria.locator("main .heading .badge")).to_have_text("em revisão")


def test_readers_are_found_granted_and_explained(browse: Browse) -> None:
    page = browse("maria.rh")
    code = make_document(page)
    page.goto(f"/admin/documents/document/?q={code}")
    page.locator("#result_list tbody a").first.click()
    page.get_by_role("link", name="Quem pode ler").click()
    check(page)
    page.get_by_label("Quem mais pode ler").press_sequentially("opera")
    expect(page.locator("datalist option")).not_to_have_count(0)
    page.get_by_label("Quem mais pode ler").fill("area:operacoes")
    form = page.locator("section", has=page.get_by_role("heading", name="Conceder leitura"))
    form.get_by_label("Motivo").fill("Operações também usa")
    form.get_by_role("button").click()
    expect(page.get_by_text("area:operacoes agora pode ler")).to_be_visible()
    page.get_by_label("Esta pessoa lê?").fill("joao.poa")
    page.get_by_role("button", name="Ver", exact=True).click()
    expect(page.get_by_role("cell", name="sim")).to_be_visible()
    check(page)


def test_a_folder_with_problems_says_where_they_are(browse: Browse, tmp_path: Path) -> None:
    import zipfile

    archive = tmp_path / "pasta.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("corpus.yaml", "documents:\n  - {code: x, titulo: Férias, kind: policy, area: nada}\n")
    page = browse("maria.rh")
    page.goto("/admin/governance/corpusimport/add/")
    check(page)
    page.get_by_label("Arquivo ZIP").set_input_files(archive)
    page.get_by_role("button", name="Conferir").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("2", timeout=180_000)
    check(page)


PAGES = {
    "maria.rh": (
        "/admin/",
        "/admin/documents/document/",
        "/admin/documents/document/add/",
        "/admin/documents/document/1/change/",
        "/admin/documents/revision/",
        "/admin/documents/relation/",
        "/admin/documents/relation/add/",
        "/admin/governance/precedencerule/",
        "/admin/governance/precedencerule/add/",
        "/admin/governance/ownertask/",
        "/admin/governance/corpusimport/",
        "/admin/documents/",
    ),
    "lucas.auditor": (
        "/admin/",
        "/admin/documents/revision/1/workbench/",
        "/admin/governance/auditevent/",
        "/admin/ver-como/",
    ),
    "admin": (
        "/admin/",
        "/admin/documents/glossaryentry/",
        "/admin/documents/glossaryentry/1/change/",
        "/admin/documents/area/1/change/",
        "/admin/documents/unit/1/change/",
        "/admin/documents/channel/",
        "/admin/auth/user/",
        "/admin/auth/group/add/",
    ),
    "paula.indice": ("/admin/",),
}
"""Who → what they open."""


@pytest.mark.parametrize("username", PAGES)
@looks
def test_every_page_is_accessible_in_one_language_and_fits(
    browse: Browse, username: str, width: int, scheme: str
) -> None:
    page = browse(username, width=width, color_scheme=scheme)
    for path in PAGES[username]:
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        check(page)


@pytest.mark.parametrize("path", ["documents/document/", "documents/revision/", "governance/precedencerule/"])
def test_a_list_fits_beside_its_filters_at_a_desk(browse: Browse, path: str) -> None:
    page = browse("maria.rh")
    page.goto(f"/admin/{path}")
    assert page.locator(".results").evaluate("list => list.scrollWidth - list.clientWidth") <= 0
    assert "None" not in page.locator("#result_list").inner_text(), "days are told as people write them"


@pytest.mark.parametrize("username", PAGES)
def test_the_admin_speaks_english_too(browse: Browse, username: str) -> None:
    page = browse(username, language="en")
    # The trail shows reasons as they were written, by people and by the portal, in its own language.
    for path in [path for path in PAGES[username] if "auditevent" not in path]:
        page.goto(path)
        in_one_language(page)
    page.goto("/admin/")
    check(page)


@widths
def test_buttons_lie_on_nothing(browse: Browse, width: int) -> None:
    """The links above a form stand between its title and its first field, however long the title is."""
    page = browse("admin", width=width)
    for path in ("documents/document/1/change/", "documents/area/1/change/", "documents/channel/1/change/"):
        page.goto(f"/admin/{path}")
        tools = page.locator(".object-tools")
        assert tools.count(), path
        box = tools.bounding_box()
        assert box is not None
        assert box["height"] > 20
        button = tools.locator("a").first.bounding_box()
        assert button is not None
        assert button["width"] < 300, "a button is as wide as its words"
        for other in (page.locator("#content h2").first, page.locator("form fieldset, form .changes").first):
            held = other.bounding_box()
            assert held is not None
            assert held["y"] + held["height"] <= box["y"] + 1 or box["y"] + box["height"] <= held["y"] + 1, path


def test_granting_is_one_step_from_the_top_of_a_page_of_readers(browse: Browse) -> None:
    page = browse("maria.rh", width=PHONE)
    code = make_document(page)
    page.goto(f"/admin/documents/document/?q={code}")
    page.locator("#result_list tbody a").first.click()
    page.get_by_role("link", name="Quem pode ler").click()
    page.get_by_role("link", name="Ir às concessões").click()
    expect(page.get_by_role("heading", name="Conceder leitura")).to_be_in_viewport()
