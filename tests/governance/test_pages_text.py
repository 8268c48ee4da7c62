"""The text on the page: sections, tables and lists, with the quote of a citation marked to the letter."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from documents.models import Document, Revision
from tests import factories
from tests.governance.pages import current, from_markdown, marked, page_of, said

pytestmark = pytest.mark.django_db
QUOTE = "quatro horas úteis"
RICH = """# Manual

## 1. Prazos

O prazo de separação é de quatro horas úteis.

| Etapa | Prazo | Quem |
|-|-|-|
| Separação | 4 horas | Operação |
| Entrega | 2 dias | Transporte |

## 2. Regras

São vedados:

- o uso privado;
- a cessão a terceiros.

## 3. Fim
"""


@pytest.fixture
def browser(client: Client) -> Client:
    client.force_login(factories.person("ana"))
    return client


@pytest.fixture
def manual() -> Document:
    owner: User = factories.person("bruno")
    return factories.document("ops", title="Manual", kind="manual", owner=owner, readers=["group:todos"])


@pytest.fixture
def rich(manual: Document) -> Revision:
    return from_markdown(manual, "v1", RICH)


def quoting(revision: Revision, quote: str, anchor: str = "") -> str:
    start = revision.text.index(quote)
    return f"/documentos/ops/{revision.label}/?trecho={revision.pk}:{start}-{start + len(quote)}{anchor}"


def test_the_quote_is_marked_to_the_letter(browser: Client, manual: Document) -> None:
    shown = current(manual)
    page = page_of(browser, quoting(shown, QUOTE))
    assert re.findall("<mark[^>]*>(.*?)</mark>", page) == [QUOTE]
    assert re.sub("</?mark[^>]*>", "", page).count(QUOTE) == 1
    assert page.count('id="_trecho"') == 1
    assert 'href="#_trecho"' in page


@pytest.mark.parametrize(
    "quote",
    [
        "1. Prazos",
        "Prazos\nO prazo",
        "Separação; Prazo: 4 horas",
        "Etapa: Separação; Prazo: 4 horas; Quem: Operação",
        "4 horas; Quem: Operação\nEtapa: Entrega; Prazo: 2",
        "Transporte\n\n2. Regras\nSão vedados:\n• o uso",
        "privado;\n• a cessão a terceiros.",
        RICH[2:8],
    ],
)
def test_a_quote_is_marked_across_headings_tables_and_lists(browser: Client, rich: Revision, quote: str) -> None:
    page = page_of(browser, quoting(rich, quote))
    assert "".join(marked(page).split()) == "".join(quote.split())
    assert page.count('id="_trecho"') == 1


def test_every_stretch_of_the_text_can_be_marked(browser: Client, rich: Revision) -> None:
    for start in range(0, len(rich.text), 7):
        quote = rich.text[start : start + 40]
        page = page_of(browser, f"/documentos/ops/v1/?trecho={rich.pk}:{start}-{start + len(quote)}")
        assert "".join(marked(page).split()) == "".join(quote.split())


@pytest.mark.parametrize(
    "span", ["{pk}:9-3", "{pk}:0-99999", "{pk}:a-b", "{pk}:3", "x", "", "{pk}:-1-4", "9:1-2", "٣:1-2"]
)
def test_a_span_that_is_not_of_this_text_marks_nothing(browser: Client, manual: Document, span: str) -> None:
    pk = current(manual).pk
    page = page_of(browser, f"/documentos/ops/v1/?trecho={span.format(pk=pk)}")
    assert "<mark" not in page
    assert QUOTE in page
    assert "Ir ao trecho" not in page


def test_a_quote_of_another_version_leads_there_if_the_reader_may(browser: Client, manual: Document) -> None:
    old = current(manual, "v1", until="2026-01-01")
    current(manual, "v2", start="2026-01-01")
    draft = factories.revision(manual, "v3", state="draft")
    page = page_of(browser, f"/documentos/ops/?trecho={old.pk}:2-9")
    assert "está na versão v1" in said(page)
    assert f'/documentos/ops/v1/?trecho={old.pk}:2-9#_trecho"' in page
    assert "está na versão" not in said(page_of(browser, f"/documentos/ops/?trecho={draft.pk}:2-9"))


def test_rows_are_a_table_and_still_spell_the_text(browser: Client, rich: Revision) -> None:
    page = page_of(browser, "/documentos/ops/")
    assert re.findall('<th scope="col">(.*?)</th>', page) == ["Etapa", "Prazo", "Quem"]
    assert page.count('<th scope="row">') == 2
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.S)
    assert body
    rows = [re.sub("<[^>]+>", "", row) for row in re.findall("<tr>(.*?)</tr>", body[1], re.S)]
    assert rows == [
        "Etapa: Separação; Prazo: 4 horas; Quem: Operação",
        "Etapa: Entrega; Prazo: 2 dias; Quem: Transporte",
    ]


def test_items_are_a_list_with_the_markers_of_the_text(browser: Client, rich: Revision) -> None:
    page = page_of(browser, "/documentos/ops/")
    assert page.count('<li class="depth-1"><span class="marker">• </span>') == 2
    assert "<p>São vedados:</p>" in page


def test_sections_have_links_and_a_table_of_contents(browser: Client, rich: Revision) -> None:
    page = page_of(browser, "/documentos/ops/")
    for anchor, title in (("secao-1", "1. Prazos"), ("secao-2", "2. Regras"), ("secao-3", "3. Fim")):
        assert f'<section id="{anchor}">' in page
        assert f'<a class="anchor" href="#{anchor}" aria-label="Link para esta seção: {title}">' in page
        assert page.count(f'<a href="#{anchor}">{title}</a>') == 2
    assert "<h1>Manual</h1>" in page
    assert [int(level) for level in re.findall(r"<section id=[^>]*>\s*<h(\d)", page)] == [2, 2, 2, 2]


def test_a_short_text_has_no_table_of_contents(browser: Client, manual: Document) -> None:
    current(manual)
    assert "Sumário" not in said(page_of(browser, "/documentos/ops/"))


def test_no_anchor_of_a_text_takes_a_name_that_the_page_uses(browser: Client, manual: Document) -> None:
    headings = ("Conteúdo", "Trecho", "Versões", "Busca", "Dados")
    from_markdown(manual, "v1", "# M\n" + "".join(f"\n## {one}\n\na\n" for one in headings))
    page = page_of(browser, "/documentos/ops/")
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_pages_of_the_original_are_shown_where_they_begin(browser: Client, manual: Document) -> None:
    text = "1. Prazos\nA primeira página.\nA segunda página vai até aqui e segue na terceira.\n"
    second, third = text.index("A segunda"), text.index("segue")
    pages = [
        {"number": 1, "start": 0, "end": second},
        {"number": 2, "start": second, "end": third},
        {"number": 3, "start": third, "end": len(text)},
    ]
    current(manual, text=text, pages=pages)
    page = page_of(browser, "/documentos/ops/")
    assert re.findall(r'id="pagina_(\d)" data-page="\d"></span>(\S+)', page) == [("2", "A"), ("3", "segue")]


def test_a_page_that_begins_inside_a_row_is_shown_with_the_value(browser: Client, manual: Document) -> None:
    text = "1. Prazos\nItem: a; Valor: 1\nItem: b; Valor: 2\nItem: c; Valor: 3\n"
    starts = [0, text.index("Item: b"), text.index("; Valor: 2"), text.index("c; V")]
    spans = zip(starts, [*starts[1:], len(text)], strict=True)
    current(manual, text=text, pages=[{"number": n, "start": a, "end": b} for n, (a, b) in enumerate(spans, 1)])
    page = page_of(browser, "/documentos/ops/")
    assert re.findall(r'data-page="(\d)"></span>(\w?)', page) == [("2", "b"), ("3", ""), ("4", "c")]
    assert not re.search(r'class="cell-(label|rest)"><span class="page-break"', page)


def test_a_fragment_is_the_article_alone(browser: Client, rich: Revision) -> None:
    page = page_of(browser, quoting(rich, "O prazo") + "&fragmento=1")
    assert page.strip().startswith("<article")
    assert page.strip().endswith("</article>")
    assert "<html" not in page
    assert marked(page) == "O prazo"
    assert "versão v1 vigente desde 01/01/2025" in said(page)
    assert 'data-anchor="secao-1"' in page
    assert re.findall(r'\sid="([^"]+)"', page) == ["fragmento_titulo", "_trecho"]
    assert re.findall(r"<h(\d)", page) == ["2", "3", "3", "3", "3"]


def test_a_fragment_says_how_the_version_stands(browser: Client, manual: Document) -> None:
    current(manual, "v1", until="2026-01-01")
    current(manual, "v2", start="2026-01-01")
    assert "Esta versão foi substituída" in said(page_of(browser, "/documentos/ops/v1/?fragmento=1"))
    assert "substituída" not in said(page_of(browser, "/documentos/ops/?fragmento=1"))
