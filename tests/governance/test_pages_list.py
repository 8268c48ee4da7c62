"""The list of documents: what it holds, how it is narrowed, and what it says when there is nothing."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from documents.models import READ, Document, DocumentGroupGrant, Revision
from tests import factories
from tests.governance.pages import current, page_of, said

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return factories.person("bruno", areas=["operacoes"])


@pytest.fixture
def browser(client: Client) -> Client:
    client.force_login(factories.person("ana"))
    return client


@pytest.fixture
def shelf(owner: User) -> dict[str, Document]:
    """Four documents that everybody reads and one that nobody does."""
    made = {
        "ferias": factories.document(
            "ferias", title="Política de Férias", owner=owner, readers=["group:todos"], area_slug="rh"
        ),
        "viagem": factories.document(
            "viagem", title="Viagem ÀS ilhas", owner=owner, readers=["group:todos"], area_slug="rh"
        ),
        "wiki-x": factories.document(
            "wiki-x", title="Wiki da doca", kind="wiki", authority="unofficial", owner=owner, readers=["group:todos"]
        ),
        "ops": factories.document("ops", title="Manual <CD>", kind="manual", owner=owner, readers=["group:todos"]),
        "folha": factories.document("folha", title="Folha secreta", owner=owner, area_slug="cofre"),
    }
    for code, document in made.items():
        current(document, until=date(2025, 6, 1) if code == "viagem" else None)
    return made


def listed(page: str) -> list[str]:
    return re.findall(r'class="shelf-title" href="/documentos/([^/]+)/"', page)


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("", ["ops", "ferias", "viagem", "wiki-x"]),
        ("q=FERIAS", ["ferias"]),
        ("q=férias+politica", ["ferias"]),
        ("q=às+il", ["viagem"]),
        ("q=as+ILHAS", ["viagem"]),
        ("q=wiki-x", ["wiki-x"]),
        ("q=%25", []),
        ("q=_", []),
        ("q=folha", []),
        ("area=rh", ["ferias", "viagem"]),
        ("area=cofre", []),
        ("kind=wiki", ["wiki-x"]),
        ("authority=official", ["ops", "ferias", "viagem"]),
        ("area=rh&kind=wiki", []),
        ("in_force_on=2025-03-01", ["ops", "ferias", "viagem", "wiki-x"]),
        ("in_force_on=2025-07-01&area=rh", ["ferias"]),
        ("in_force_on=01/03/2025&area=rh", ["ferias", "viagem"]),
        ("in_force_on=2024-12-31", []),
        ("ordering=code", ["ferias", "ops", "viagem", "wiki-x"]),
        ("ordering=area", ["ops", "wiki-x", "ferias", "viagem"]),
        ("page=99", ["ops", "ferias", "viagem", "wiki-x"]),
        ("page=abc", ["ops", "ferias", "viagem", "wiki-x"]),
        ("q=%00ops", ["ops"]),
    ],
)
def test_the_list_is_narrowed_by_what_is_asked(browser: Client, query: str, codes: list[str]) -> None:
    assert listed(page_of(browser, f"/documentos/?{query}")) == codes


def test_a_row_says_what_it_is(browser: Client, shelf: dict[str, Document]) -> None:
    page = said(page_of(browser, "/documentos/"))
    for words in (
        *("Manual <CD> ops manual Operacoes v1, vigente desde 01/01/2025", "Wiki da doca wiki-x", "wiki, não oficial"),
        *("Viagem ÀS ilhas viagem política Rh não vigente hoje", "4 documentos que você pode ler"),
    ):
        assert words in page, words
    assert "Folha" not in page
    assert "Cofre" not in page


def test_a_day_leads_to_the_version_of_that_day(browser: Client, shelf: dict[str, Document]) -> None:
    page = page_of(browser, "/documentos/?in_force_on=2025-03-01&q=viagem")
    assert '<a href="/documentos/viagem/v1/">v1</a>' in page
    assert "não vigente" not in said(page)


def test_the_choices_count_what_the_other_filters_leave(browser: Client, shelf: dict[str, Document]) -> None:
    page = said(page_of(browser, "/documentos/?area=rh"))
    for words in ("Operacoes (2)", "Rh (2)", "política (2)", "oficial (2)"):
        assert words in page
    assert "wiki, não oficial (" not in page
    assert "Cofre" not in page


@pytest.mark.usefixtures("shelf")
def test_filters_in_use_can_be_taken_away_one_by_one(browser: Client) -> None:
    page = page_of(browser, "/documentos/?q=zzz&area=rh&in_force_on=2025-03-01&page=3")
    assert 'href="?area=rh&amp;in_force_on=2025-03-01"' in page
    assert 'href="?q=zzz&amp;in_force_on=2025-03-01"' in page
    assert 'href="?q=zzz&amp;area=rh"' in page
    assert 'value="zzz"' in page
    assert "Rh (0)" in said(page)


def test_an_empty_list_says_what_to_do(browser: Client, shelf: dict[str, Document], owner: User) -> None:
    found_nothing = page_of(browser, "/documentos/?q=bicicleta azul")
    assert "Tire um filtro acima" in said(found_nothing)
    assert 'href="/?pergunta=bicicleta%20azul"' in found_nothing
    Document.objects.filter(code__in=shelf).exclude(code="folha").update(scope_units=["NENHUMA"])
    assert "Ainda não há documento que você possa ler." in said(page_of(browser, "/documentos/"))


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("in_force_on=ontem", "Escreva a data como dia/mês/ano."),
        ("in_force_on=2025-02-30", "Escreva a data como dia/mês/ano."),
        ("kind=segredo", "Esse valor não existe"),
        ("authority=x", "Esse valor não existe"),
        ("ordering=text", "Esse valor não existe"),
    ],
)
def test_a_filter_that_cannot_be_read_is_said_and_lists_nothing(browser: Client, query: str, words: str) -> None:
    page = page_of(browser, f"/documentos/?{query}", 422)
    assert words in said(page)
    assert "um filtro não pôde ser lido" in said(page)
    assert not listed(page)


def test_long_lists_have_pages_that_keep_the_filters(
    browser: Client, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """Rows straight into the tables: a thousand documents, each with a version, a grant and an owner."""
    documents = Document.objects.bulk_create(
        Document(code=f"d{n}", title=f"Documento {n}", kind="policy", area=factories.area(f"a{n % 40}"), owner=owner)
        for n in range(1_000)
    )
    model = factories.revision(factories.document("model", owner=owner), state="published", start=date(2025, 1, 1))
    Revision.objects.bulk_create(_copies(model, documents), batch_size=2000)
    _grant(documents)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # or the planner takes the tables for empty
    for query, shown in (("page=2", 50), ("q=documento+99&in_force_on=2025-03-01&ordering=area", 19)):
        with django_assert_max_num_queries(15):
            page = page_of(browser, f"/documentos/?{query}")
        assert len(listed(page)) == shown
    assert 'href="?page=1"' in page_of(browser, "/documentos/?page=2")
    assert "1000 documentos" in said(page_of(browser, "/documentos/"))
    assert 'href="?q=documento+9&amp;page=2"' in page_of(browser, "/documentos/?q=documento+9")


def _copies(model: Revision, documents: list[Document]) -> list[Revision]:
    names = [
        *("label", "state", "validity", "text", "text_hash", "content_hash", "approved_by_id", "approved_hash"),
        *("media_type", "approved_at"),
    ]
    return [Revision(document=document, **{name: getattr(model, name) for name in names}) for document in documents]


def _grant(documents: list[Document]) -> None:
    everyone, read = factories.group("todos"), Permission.objects.get(codename=READ)
    DocumentGroupGrant.objects.bulk_create(
        DocumentGroupGrant(group=everyone, permission=read, content_object=document) for document in documents
    )


@pytest.mark.parametrize("words", ["politica " * 3000, " ".join(f"p{number}" for number in range(3000))])
def test_thousands_of_words_cost_no_more_than_a_few(browser: Client, shelf: dict[str, Document], words: str) -> None:
    """Each word is a condition: without a limit one search held a process, and the database, for minutes."""
    expected = 1 if words.startswith("politica") else 0
    for address in ("/documentos/", "/api/documents"):
        name = "q" if address == "/documentos/" else "search"
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(address, {name: words})
        assert answer.status_code == 200
        assert ("Política de Férias" in answer.content.decode()) is bool(expected)
        assert max(query["sql"].count("LIKE") for query in queries) <= 2
