"""The pages that citations lead to: who may open them, how they stand today, and the marked quote."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from documents.models import Document, Revision
from governance.views import Part, cut
from tests import factories

pytestmark = pytest.mark.django_db
START = date(2025, 1, 1)
QUOTE = "quatro horas úteis"


@pytest.fixture
def owner() -> User:
    return factories.person("bruno", areas=["operacoes"])


@pytest.fixture
def browser(client: Client) -> Client:
    client.force_login(factories.person("ana"))
    return client


@pytest.fixture
def manual(owner: User) -> Document:
    return factories.document("ops", title="Manual <CD>", kind="manual", owner=owner, readers=["group:todos"])


def current(of: Document, label: str = "v1", **more: Any) -> Revision:
    return factories.revision(of, label, **{"state": "published", "start": START, **more})


def text_of(browser: Client, address: str) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    return str(response.content.decode())


def test_the_door_is_closed_to_who_is_not_signed_in(client: Client, manual: Document) -> None:
    current(manual)
    for address in ("/documentos/", "/documentos/ops/", "/documentos/ops/v1/"):
        assert client.get(address).headers["location"] == f"/entrar/?next={address}"


def test_the_list_holds_what_the_reader_may_read(browser: Client, manual: Document, owner: User) -> None:
    current(manual)
    current(factories.document("folha", title="Folha secreta", owner=owner))
    page = text_of(browser, "/documentos/")
    for words in ('href="/documentos/ops/"', "Manual &lt;CD&gt;", "manual", "vigente desde 01/01/2025", "1 documento "):
        assert words in page
    assert "Folha" not in page
    assert "Folha secreta" not in text_of(browser, "/documentos/?q=folha")


def test_the_list_is_searched_by_title_and_code(browser: Client, manual: Document) -> None:
    assert "/documentos/ops/" in text_of(browser, "/documentos/?q=MANUAL+ops")
    assert "/documentos/ops/" not in text_of(browser, "/documentos/?q=ferias")
    assert text_of(browser, "/documentos/?q=%00%22%3E&page=99").count('value="&quot;&gt;"') == 1


def test_the_list_costs_the_same_however_long_it_is(
    browser: Client, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(60):
        current(factories.document(f"d{number}", owner=owner, readers=["group:todos"]))
    with django_assert_max_num_queries(14):
        assert "1 / 2" in text_of(browser, "/documentos/")


def test_a_document_opens_in_force_with_its_anchors_and_versions(browser: Client, manual: Document) -> None:
    current(manual, "v1", until=date(2026, 1, 1), text="Antes\nera assim.\n")
    current(manual, "v2", start=date(2026, 1, 1), text="1. Prazo\n<b>duas</b> horas.\n")
    page = text_of(browser, "/documentos/ops/")
    assert '<section id="secao-1">' in page
    assert "&lt;b&gt;duas&lt;/b&gt; horas." in page
    assert "era assim" not in page
    assert "notice-warning" not in page
    assert 'href="/documentos/ops/v2/" aria-current="page"' in page
    assert 'href="/documentos/ops/v1/"' in page
    assert "Arquivo original" not in page


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"until": date(2025, 2, 1)}, "não está mais vigente"),
        ({"start": timezone.localdate() + timedelta(9)}, "ainda não está vigente"),
    ],
)
def test_a_banner_says_that_a_version_is_not_in_force(
    browser: Client, manual: Document, more: dict[str, Any], words: str
) -> None:
    opened = current(manual, **more)
    page = browser.get("/documentos/ops/v1/")
    if opened.in_force.lower > timezone.localdate():
        browser.force_login(manual.owner)  # what is to come is shown to those who work on it
        page = browser.get("/documentos/ops/v1/")
    assert words in page.content.decode()


def test_a_banner_says_that_a_version_was_retired_or_is_a_draft(browser: Client, manual: Document, owner: User) -> None:
    current(manual, state="retired", retired_on=date(2025, 6, 1))
    factories.revision(manual, "v2", state="draft", text="2. Rascunho\nainda não vale.\n")
    for address in ("/documentos/ops/v1/", "/documentos/ops/v2/"):
        assert browser.get(address).status_code == 404
    assert "Nenhuma versão que você pode ler está vigente hoje." in text_of(browser, "/documentos/ops/")
    browser.force_login(owner)
    assert "foi retirada em 01/06/2025" in text_of(browser, "/documentos/ops/v1/")
    assert "não está publicada" in text_of(browser, "/documentos/ops/v2/")


def test_hidden_and_missing_are_the_same(browser: Client, manual: Document, owner: User) -> None:
    current(factories.document("folha", owner=owner))
    factories.revision(manual, "v9", state="draft")
    missing = browser.get("/documentos/nada/")
    assert missing.status_code == 404
    for address in ("folha/", "folha/v1/", "nada/v1/", "ops/v9/", "ops/v8/"):
        hidden = browser.get(f"/documentos/{address}")
        assert hidden.status_code == 404
        assert _without_token(hidden) == _without_token(missing)


def _without_token(response: Any) -> str:
    return re.sub(r'(name="(?:csrfmiddlewaretoken|next)" value=)"[^"]*"', r"\1", response.content.decode())


def test_the_quote_is_marked_to_the_letter(browser: Client, manual: Document) -> None:
    shown = current(manual)
    start = shown.text.index(QUOTE)
    page = text_of(browser, f"/documentos/ops/v1/?trecho={shown.pk}:{start}-{start + len(QUOTE)}")
    assert re.findall("<mark>(.*?)</mark>", page) == [QUOTE]
    assert re.sub("</?mark>", "", page).count(QUOTE) == 1


@pytest.mark.parametrize(
    "span", ["{other}:3-9", "{pk}:9-3", "{pk}:0-99999", "{pk}:a-b", "{pk}:3", "x", "", "{pk}:-1-4"]
)
def test_a_span_that_is_not_of_this_text_marks_nothing(browser: Client, manual: Document, span: str) -> None:
    pk = current(manual).pk
    page = text_of(browser, f"/documentos/ops/v1/?trecho={span.format(pk=pk, other=pk + 1)}")
    assert "<mark>" not in page
    assert QUOTE in page


def test_cutting_loses_nothing_and_marks_across_sections() -> None:
    text = "abcdefghij"
    first, second = cut(text, 0, 5, (3, 7)), cut(text, 5, 10, (3, 7))
    assert first == [Part("abc", False), Part("de", True)]
    assert second == [Part("fg", True), Part("hij", False)]
    assert cut(text, 0, 5, (0, 0)) == [Part("abcde", False)]


def test_the_pages_need_no_more_than_the_policy_allows(browser: Client, manual: Document) -> None:
    current(manual)
    for address in ("/documentos/", "/documentos/ops/", "/documentos/nada/"):
        response = browser.get(address)
        policy = response.headers["Content-Security-Policy"]
        parts = {part.strip() for part in policy.split(";")}
        assert {"script-src 'self'", "style-src 'self'"} <= parts
        assert not re.search(r"<script|<style|\sstyle=|\son\w+=[\"']", response.content.decode())


def test_who_chose_english_reads_english(browser: Client, manual: Document) -> None:
    current(manual)
    browser.post("/idioma/", {"language": "en", "next": "/"})
    assert "in force since" in text_of(browser, "/documentos/")
    assert ">Versions</h2>" in text_of(browser, "/documentos/ops/")
