"""HTML and Markdown: the content and its meaning come through, the site and anything active don't."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents.extractors.base import ExtractionError, Why
from documents.extractors.html import extract_html
from documents.extractors.html_depth import check_source
from documents.extractors.markdown import MarkdownExtractor
from documents.extractors.plain import PlainExtractor
from documents.rules.notices import About, Notice
from documents.rules.types import Extraction


def read(body: str) -> Extraction:
    return extract_html(f"<html><body>{body}</body></html>", extractor="html")


def lines(extraction: Extraction) -> list[str]:
    return [line for line in extraction.text.split("\n") if line]


def markdown(tmp_path: Path, text: str) -> Extraction:
    path = tmp_path / "x.md"
    path.write_text(text, encoding="utf-8")
    return MarkdownExtractor().extract(path)


def test_only_the_main_content_is_kept() -> None:
    found = read(
        "<header>Portal</header><nav>Início</nav><div class='breadcrumb'>RH &gt; Férias</div>"
        "<main><h1>Férias</h1><p>São 30 dias.</p><p hidden>oculto</p><p style='display: none'>oculto</p></main>"
        "<aside>Veja também</aside><div role=contentinfo>Rodapé</div><footer>© 2026</footer>"
    )
    assert lines(found) == ["Férias", "São 30 dias."]


def test_nothing_active_passes() -> None:
    found = read(
        "<p>Texto <a href='javascript:alert(1)'>aqui</a><script>alert(2)</script><img src=x onerror=alert(3)>"
        "<iframe src=//mau.example></iframe><svg><script>alert(4)</script></svg><template>x</template> fim.</p>"
    )
    assert lines(found) == ["Texto aqui fim."]


def test_entities_and_spaces_are_decoded() -> None:
    assert lines(read("<p>R$&nbsp;1.000,00 &ndash; &sect;&nbsp;1&ordm; &amp; a&ccedil;&atilde;o</p>")) == [
        "R$ 1.000,00 – § 1º & ação"
    ]


def test_headings_make_sections_with_paths() -> None:
    found = read("<h1>Manual</h1><p>Intro.</p><h2>4. Prazos</h2><p>Dez dias.</p><h3>4.2 Exceções</h3><p>Nenhuma.</p>")
    assert [(s.anchor, s.level, s.path) for s in found.sections] == [
        ("inicio", 0, ("Manual",)),
        ("secao-4", 1, ("4. Prazos",)),
        ("secao-4-2", 2, ("4. Prazos", "4.2 Exceções")),
    ]
    bodies = [found.text[s.body_start : s.end].strip() for s in found.sections]
    assert bodies == ["Intro.", "Dez dias.", "Nenhuma."]
    assert [found.text[s.start : s.body_start].strip() for s in found.sections] == [
        "Manual",
        "4. Prazos",
        "4.2 Exceções",
    ]


def test_a_numbered_first_heading_is_a_section_not_a_title() -> None:
    found = read("<h1>1. Objetivo</h1><p>Uma linha.</p><h2>1.1 Escopo</h2><p>Outra.</p>")
    assert [s.anchor for s in found.sections] == ["secao-1", "secao-1-1"]


def test_text_before_the_first_heading_and_without_any() -> None:
    found = read("<p>Antes.</p><h2>Regras</h2><p>Depois.</p>")
    assert [(s.anchor, s.heading) for s in found.sections] == [("inicio", ""), ("regras", "Regras")]
    assert [s.anchor for s in read("<p>Só texto.</p>").sections] == ["inicio"]


def test_lists_show_their_markers() -> None:
    found = read(
        "<p>São vedados:</p><ul><li>fumar;<li>correr:<ol type=a start=3><li>na doca</ol></ul>"
        "<ol start=4><li>quarto<li>quinto</ol><dl><dt>SLA<dd>prazo</dl>"
    )
    assert lines(found) == [
        "São vedados:",
        "• fumar;",
        "• correr:",
        "c. na doca",
        "4. quarto",
        "5. quinto",
        "SLA: prazo",
    ]


def test_merged_cells_are_repeated_where_they_reach() -> None:
    found = read(
        "<table><caption>Limites</caption><tr><th>Cargo<th>Gasto<th>Valor"
        "<tr><td rowspan=2>Gerente<td>Viagem<td>R$ 5,00<tr><td>Compra<td>R$ 2,00"
        "<tr><td>Diretor<td colspan=2>sem limite</table>"
    )
    assert lines(found) == [
        "Limites",
        "Cargo: Gerente; Gasto: Viagem; Valor: R$ 5,00",
        "Cargo: Gerente; Gasto: Compra; Valor: R$ 2,00",
        "Cargo: Diretor; Gasto: sem limite; Valor: sem limite",
    ]


def test_a_table_for_layout_is_no_table() -> None:
    found = read("<table><tr><td><h2>Regras</h2><p>Um.</p><table><tr><th>A<th>B<tr><td>1<td>2</table></table>")
    assert lines(found) == ["Regras", "Um.", "A: 1; B: 2"]


def test_a_repeated_table_of_contents_is_dropped() -> None:
    entries = "".join(f"<p><a href='#s{n}'>{n}. Parte {n}\t{n}</a></p>" for n in range(1, 5))
    parts = "".join(f"<h2 id=s{n}>{n}. Parte {n}</h2><p>Texto {n}.</p>" for n in range(1, 5))
    found = read(f"<div><p><b>Sumário</b></p>{entries}</div>{parts}")
    assert lines(found) == [x for n in range(1, 5) for x in (f"{n}. Parte {n}", f"Texto {n}.")]


def test_a_broken_line_in_a_sentence_is_joined_and_a_meant_one_kept() -> None:
    assert lines(read("<p>O prazo<br>de dez dias<br>a) corre;<br>b) para.</p>")) == [
        "O prazo de dez dias",
        "a) corre;",
        "b) para.",
    ]


def test_bold_numbered_lines_are_headings_where_there_are_no_others() -> None:
    found = read(
        "<p><b>CONTRATO DE ADESÃO.</b></p><p><b>1 - PARTES:</b></p><p>A e B.</p>"
        "<p><b>2 – DA RESCISÃO:</b> Pode ser feita.</p><p><b>Dica:</b> leia.</p>"
    )
    assert [s.heading for s in found.sections] == ["CONTRATO DE ADESÃO.", "1 - PARTES", "2 – DA RESCISÃO"]
    assert "Pode ser feita." in lines(found)


@pytest.mark.parametrize("number", [300, 200_000])
@pytest.mark.parametrize(
    "opened",
    [
        "<b>", "<div>", "<DIV\n>", "<ul><li>", "<table><tr><td>", "<blockquote/>", "<div><a href='#x'>x</a>", "<span>",
        "<x-y>", "<svg>",
    ],
)  # fmt: skip
def test_elements_nested_without_end_are_an_error(opened: str, number: int) -> None:
    """A parser looks through all open blocks for each new one: 200,000 would hold it for its whole time limit."""
    with pytest.raises(ExtractionError) as caught:
        read(opened * number + "x")
    assert caught.value.why is Why.TOO_DEEP


@pytest.mark.parametrize("opened", ["<span>", "<b><i>", "<x-y>", "<div>", "<svg>"])
@pytest.mark.parametrize("beside", ["<div></div>", "<p>a", "<ul><li>a</ul>"])
def test_many_blocks_under_many_open_elements_are_an_error(opened: str, beside: str) -> None:
    """Few are open, or few come: it is both together that would hold the parser for minutes."""
    with pytest.raises(ExtractionError) as caught:
        check_source(opened * 4_000 + beside * 150_000)
    assert caught.value.why is Why.TOO_DEEP


@pytest.mark.parametrize(
    "page",
    [
        "<div><p>a</p></div>" * 20_000,
        "<p><a name='x'/>a</p>" * 6_000,
        "<p>a<b>b" * 6_000,
        "<ul>" + "<li>a" * 6_000 + "</ul>",
        "<table>" + "<tr><td>a<td>b" * 300 + "</table>",
        "<script>" + "'<div>' + x;" * 4_000 + "</script><p>a</p>",
        "</div>" * 6_000 + "<p>a</p>",
        "<div>" * 150 + "<p>a</p>" + "</div>" * 150,
    ],
    ids=[
        "side by side",
        "anchors without an end",
        "left open",
        "items left open",
        "cells left open",
        "texts of a script",
        "closed too often",
        "deep",
    ],
)
def test_a_long_page_is_no_deep_one(page: str) -> None:
    assert "a" in read(page).text


def test_a_page_without_text_is_an_error() -> None:
    with pytest.raises(ExtractionError, match="unreadable"):
        read("<script>x</script>")


def test_unfilled_fields_of_a_template_are_kept_and_told() -> None:
    found = read("<p>Contrato de ${nome}, CPF ${cpf} e ${nome}.</p>")
    assert "${nome}" in found.text
    assert found.warnings == (Notice(About.UNFILLED_FIELDS, ("${nome}", "${cpf}")),)


def test_markdown_reads_like_html(tmp_path: Path) -> None:
    found = markdown(
        tmp_path,
        "---\ntitle: Regras\n---\n# Manual\n\n## 4. Prazos\n\nLinha um\nda mesma frase.\n\n- fumar\n- correr\n\n"
        "1) abrir\n2) fechar\n\n| Cargo | Valor |\n|---|---|\n| Gerente | R$ 5 |\n\n<script>x</script>",
    )
    assert lines(found) == [
        "Manual", "4. Prazos", "Linha um da mesma frase.", "• fumar", "• correr", "1) abrir", "2) fechar",
        "Cargo: Gerente; Valor: R$ 5",
    ]  # fmt: skip
    assert found.sections[1].anchor == "secao-4"


def test_legal_lines_of_markdown_stay_apart(tmp_path: Path) -> None:
    text = (
        "Art. 5º É vedado:\nI – fumar;\nII – correr:\na) na doca;\nb) no pátio.\n§ 1º Não há exceção.\n"
        "Parágrafo único. Fim."
    )
    assert lines(markdown(tmp_path, text)) == text.split("\n")


def test_front_matter_names_a_text_without_title(tmp_path: Path) -> None:
    assert markdown(tmp_path, '---\ntitle: "Regras"\n---\nTexto.').sections[0].heading == "Regras"


def test_plain_text_is_reflowed_and_its_headings_found(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(
        "POLÍTICA DE VIAGENS\n\n1. Objetivo\n\nEsta política define as regras de viagem a serviço da empre-\n"
        "sa e vale para todos os colaboradores, em qualquer unidade.\n\n2. Vedações\n\n"
        "São vedados:\na) fumar;\nb) correr.\n",
        encoding="utf-8",
    )
    found = PlainExtractor().extract(path)
    assert [s.heading for s in found.sections] == ["POLÍTICA DE VIAGENS", "1. Objetivo", "2. Vedações"]
    assert "a serviço da empresa e vale" in found.text
    assert lines(found)[-2:] == ["a) fumar;", "b) correr."]


@pytest.mark.parametrize("number", ["²", "9" * 5000, "-1", "", "1.5", "x", "٣"])
def test_a_number_that_is_none_spoils_no_file(number: str) -> None:
    found = read(
        f"<ol start='{number}'><li>Um prazo.</li></ol>"
        f"<table><tr><th colspan='{number}' rowspan='{number}'>Prazo</th><th>Dias</th></tr>"
        "<tr><td>SP</td><td>4</td></tr></table>"
    )
    assert "Um prazo." in found.text
    assert "SP" in found.text
