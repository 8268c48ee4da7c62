"""Two versions side by side: who may see them, and what the page says of each change."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from documents.models import Document
from tests import factories
from tests.governance.pages import current, from_markdown, page_of, said

pytestmark = pytest.mark.django_db
OLD = """# Manual

## 1. Prazos

O prazo de separação é de 4 horas úteis.

## 2. Limites

| Item | Limite |
|-|-|
| Café | R$ 20,00 |
| Jantar | R$ 50,00 |

## 3. Contatos

Procure o supervisor da operação pelo ramal interno cinco mil.

## 4. Extinta

Esta seção só existe aqui.
"""
NEW = """# Manual

## 1. Contatos

Procure o supervisor da operação pelo ramal interno cinco mil.

## 2. Prazos

O prazo de separação é de 2 horas úteis.

## 3. Tetos de despesa

| Item | Limite |
|-|-|
| Café | R$ 25,00 |
| Jantar | R$ 50,00 |

## 4. Nova <seção>

Esta é a novidade desta versão.
"""


@pytest.fixture
def browser(client: Client) -> Client:
    client.force_login(factories.person("ana"))
    return client


@pytest.fixture
def manual() -> Document:
    owner = factories.person("bruno", areas=["operacoes"])
    return factories.document("ops", title="Manual <CD>", kind="manual", owner=owner, readers=["group:todos"])


@pytest.fixture
def versions(manual: Document) -> Document:
    from_markdown(manual, "v1", OLD, until=date(2026, 1, 1))
    from_markdown(manual, "v2", NEW, start=date(2026, 1, 1))
    return manual


def section(page: str, words: str) -> str:
    """The part of the page about the section with these words in its heading."""
    parts = re.findall(r"<section class=\"section-.*?</section>", page, re.S)
    return next(part for part in parts if words in said(part.partition("<ul")[0]))


@pytest.mark.usefixtures("versions")
def test_changes_are_shown_by_section_word_and_cell(browser: Client) -> None:
    page = page_of(browser, "/documentos/ops/comparar/?de=v1&para=v2")
    assert "O que mudou da v1 para a v2" in said(page)
    prazos = section(page, "Prazos")
    assert "<del>4</del><ins>2</ins> horas" in prazos
    limits = section(page, "despesa")
    assert "renomeada" in said(limits)
    assert "R$ <del>20,00</del><ins>25,00</ins>" in limits
    assert "<td>R$ 50,00</td>" in limits
    assert '<th scope="col">Limite</th>' in limits
    assert "mudou de lugar" in said(section(page, "Contatos"))
    assert "seção removida" in said(section(page, "Extinta"))
    assert "<del>Esta seção só existe aqui.</del>" in section(page, "Extinta")
    assert "seção nova" in said(section(page, "Nova"))
    assert "<ins>4. Nova &lt;seção&gt;</ins>" in page
    assert "1 acrescentada · 1 removida · 1 mudou de lugar" in said(page)


@pytest.mark.usefixtures("versions")
def test_a_section_leads_to_itself_in_both_versions(browser: Client) -> None:
    prazos = section(page_of(browser, "/documentos/ops/comparar/?de=v1&para=v2"), "Prazos")
    assert 'href="/documentos/ops/v1/#secao-1"' in prazos
    assert 'href="/documentos/ops/v2/#secao-2"' in prazos


@pytest.mark.usefixtures("versions")
def test_the_other_way_round_what_was_added_is_removed(browser: Client) -> None:
    page = page_of(browser, "/documentos/ops/comparar/?de=v2&para=v1")
    assert "<del>2</del><ins>4</ins> horas" in page
    assert "seção removida" in said(section(page, "Nova"))


@pytest.mark.usefixtures("versions")
def test_without_labels_the_version_in_force_is_compared_with_the_one_before(browser: Client) -> None:
    assert "O que mudou da v1 para a v2" in said(page_of(browser, "/documentos/ops/comparar/"))
    assert "O que mudou da v1 para a v2" in said(page_of(browser, "/documentos/ops/comparar/?para=v2"))


def test_what_did_not_change_is_folded(browser: Client, manual: Document) -> None:
    sections = "".join(f"## {n}. Parte {n}\n\nTexto da parte {n}.\n\n" for n in range(1, 6))
    lines = "".join(f"Linha {n} da última parte.\n\n" for n in range(8))
    from_markdown(manual, "v1", f"# M\n\n{sections}## 6. Fim\n\n{lines}fim um\n", until=date(2026, 1, 1))
    from_markdown(manual, "v2", f"# M\n\n{sections}## 6. Fim\n\n{lines}fim dois\n", start=date(2026, 1, 1))
    page = page_of(browser, "/documentos/ops/comparar/")
    assert "6 seções sem mudança" in said(page)
    assert page.count("<details") == 3  # the person's menu, the sections, the lines
    assert "Linhas sem mudança" in said(section(page, "Fim"))
    assert "open" not in re.findall(r"<details[^>]*>", page)[-1]


def test_versions_that_say_the_same_are_told_so(browser: Client, manual: Document) -> None:
    from_markdown(manual, "v1", OLD, until=date(2026, 1, 1))
    from_markdown(manual, "v2", OLD, start=date(2026, 1, 1))
    assert "palavra por palavra" in said(page_of(browser, "/documentos/ops/comparar/"))
    assert "É a mesma versão" in said(page_of(browser, "/documentos/ops/comparar/?de=v1&para=v1"))


def test_one_version_alone_has_nothing_to_compare(browser: Client, manual: Document) -> None:
    current(manual)
    factories.revision(manual, "v2", state="draft")
    page = said(page_of(browser, "/documentos/ops/comparar/"))
    assert "Só há uma versão que você pode ler" in page
    assert "v2" not in page


def test_a_document_without_a_readable_version_has_nothing_to_compare(browser: Client, manual: Document) -> None:
    factories.revision(manual, "v1", state="draft")
    assert "Só há uma versão" in said(page_of(browser, "/documentos/ops/comparar/"))


def test_a_draft_is_compared_by_those_who_work_on_it(browser: Client, versions: Document) -> None:
    from_markdown(versions, "v3", NEW.replace("2 horas", "1 hora"), state="draft", start=None)
    page_of(browser, "/documentos/ops/comparar/?de=v2&para=v3", 404)
    assert versions.owner is not None
    browser.force_login(versions.owner)
    assert "<del>2 horas</del><ins>1 hora</ins>" in page_of(browser, "/documentos/ops/comparar/?de=v2&para=v3")
