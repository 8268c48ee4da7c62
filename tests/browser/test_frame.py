"""What is around every page: signing in and out, the header, the language, a page that isn't there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Browse
from tests.browser.look import DESK, PHONE, check, looks, widths


@looks
def test_a_person_signs_in_and_out(browse: Browse, width: int, scheme: str) -> None:
    page = browse(width=width, color_scheme=scheme)
    page.goto("/")
    check(page)
    page.get_by_label("Usuário").fill("ana.ops")
    page.get_by_label("Senha").fill("errada")
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_role("alert")).to_be_visible()
    check(page)
    page.get_by_label("Usuário").fill("ana.ops")
    page.get_by_label("Senha").fill("demo")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Pergunta")).to_be_visible()
    page.get_by_text("Ana Ribeiro").click()
    check(page)
    page.get_by_role("button", name="Sair").click()
    expect(page.get_by_label("Senha")).to_be_visible()


@pytest.mark.parametrize(("width", "language"), [(PHONE, "pt-br"), (DESK, "en")])
def test_a_page_that_is_refused_says_so_in_words(browse: Browse, width: int, language: str) -> None:
    page = browse("maria.rh", width=width, language=language)
    answer = page.goto("/admin/auth/user/")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_role("link", name="Portal")).not_to_have_count(0)
    check(page)


@widths
def test_a_page_that_is_not_there_says_so(browse: Browse, width: int) -> None:
    page = browse("ana.ops", width=width)
    answer = page.goto("/documentos/nao-existe/")
    assert answer is not None
    assert answer.status == 404
    check(page)


def test_the_language_is_one_click_away(browse: Browse) -> None:
    page = browse("ana.ops")
    page.goto("/documentos/")
    page.get_by_text("Ana Ribeiro").click()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Documents")
    check(page)


def test_the_keyboard_reaches_the_content_first(browse: Browse) -> None:
    page = browse("ana.ops")
    page.goto("/documentos/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "_conteudo"
