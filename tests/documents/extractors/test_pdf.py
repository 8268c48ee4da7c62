"""PDF files: headings, paragraphs, running lines, tables, pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents.extractors.base import ExtractionError
from documents.extractors.pdf import PdfExtractor
from documents.rules.notices import About, Notice
from documents.rules.types import Extraction
from tests.documents.extractors import files

BODY, BOLD = "Helvetica", "Helvetica-Bold"


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Extraction:
    return PdfExtractor().extract(files.manual_pdf(tmp_path_factory.mktemp("pdf") / "manual.pdf"))


def test_headings_by_size_and_number_make_the_sections(manual: Extraction) -> None:
    assert [(s.level, s.anchor, s.heading) for s in manual.sections] == [
        (0, "inicio", "Manual de operação CD-SP"),
        (1, "secao-1", "1. Objetivo"),
        (1, "secao-2", "2. Vedações"),
        (1, "secao-4", "4. Prazos"),
        (2, "secao-4-2", "4.2 Exceções"),
        (1, "secao-5", "5. Alçadas"),
        (1, "anexo-a", "ANEXO A – Contatos"),
    ]


def test_paragraphs_are_reflowed_even_across_pages(manual: Extraction) -> None:
    lines = manual.text.split("\n")
    assert files.PICKING in lines
    assert lines.count(files.FILLER) == 15


def test_running_headers_footers_and_page_numbers_are_gone(manual: Extraction) -> None:
    assert "Transportes Rápidos" not in manual.text
    assert "Página" not in manual.text


def test_list_items_have_lines_of_their_own(manual: Extraction) -> None:
    assert (
        "São vedados:\n• fumar na doca;\n• operar empilhadeira sem habilitação;\na) entrar sem crachá;\n"
        "b) fotografar a carga." in manual.text
    )


def test_a_table_over_two_pages_is_one_with_its_header_said_once(manual: Extraction) -> None:
    rows = [line for line in manual.text.split("\n") if line.startswith("Cidade:")]
    names = files.DEADLINES[0]
    expected = ["; ".join(f"{n}: {c}" for n, c in zip(names, row, strict=True)) for row in files.DEADLINES[1:]]
    assert rows == expected


def test_merged_cells_are_carried_down(manual: Extraction) -> None:
    assert "Cargo: Gerente; Gasto: Compra; Limite: R$ 2.000,00" in manual.text


def test_pages_cover_the_text_in_order(manual: Extraction) -> None:
    assert [page.number for page in manual.pages] == list(range(1, len(manual.pages) + 1))
    assert manual.pages[0].start == 0
    assert manual.pages[-1].end == len(manual.text)
    assert all(a.end == b.start for a, b in zip(manual.pages, manual.pages[1:], strict=False))
    first, last = manual.pages[0], manual.pages[-1]
    assert "1. Objetivo" in manual.text[first.start : first.end]
    assert "ANEXO A" in manual.text[last.start : last.end]


def test_a_locked_file_is_reported_as_such(tmp_path: Path) -> None:
    with pytest.raises(ExtractionError, match="encrypted"):
        PdfExtractor().extract(files.locked_pdf(tmp_path / "x.pdf"))


def test_a_file_that_only_its_owner_may_change_is_read(tmp_path: Path) -> None:
    found = PdfExtractor().extract(files.locked_pdf(tmp_path / "x.pdf", user_password=""))
    assert found.text == "O limite de reembolso é de R$ 300,00 por dia."


def test_a_file_of_images_is_reported_as_scanned(tmp_path: Path) -> None:
    with pytest.raises(ExtractionError, match="scanned"):
        PdfExtractor().extract(files.scanned_pdf(tmp_path / "x.pdf"))


def test_a_page_without_text_among_others_is_told(tmp_path: Path) -> None:
    page = [(72.0, 700.0, "O prazo é de dez dias.", BODY, 10.0)]
    found = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [page, [], page]))
    assert found.warnings == (Notice(About.EMPTY_PAGES, ("2",)),)
    assert len(found.pages) == 3
    assert found.pages[1].start == found.pages[1].end == found.pages[2].start


@pytest.mark.parametrize("data", [b"%PDF-1.7\nlixo", b"%PDF-1.4\n%%EOF"])
def test_a_broken_file_is_reported_as_such(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(data)
    with pytest.raises(ExtractionError, match="unreadable"):
        PdfExtractor().extract(path)


def _page(lines: list[str], *, top: float = 740.0, font: str = BODY, size: float = 10.0) -> list[tuple]:
    return [(72.0, top - 13 * index, line, font, size) for index, line in enumerate(lines)]


def test_hyphens_at_line_ends_are_joined_and_real_ones_kept(tmp_path: Path) -> None:
    lines = [
        "O operador confere a carga na doca e registra a ocorrência no sistema de arma-",
        "zenagem, que avisa a supervisão do CD-SP na manhã seguinte, até a segunda-",
        "feira, conforme o plano de contingência que a coordenação da unidade do CD-",
        "SP publica no quadro de avisos.",
    ]
    found = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [_page(lines)]))
    assert found.text == (
        "O operador confere a carga na doca e registra a ocorrência no sistema de armazenagem, que avisa a supervisão "
        "do CD-SP na manhã seguinte, até a segunda-feira, conforme o plano de contingência que a coordenação da "
        "unidade do CD-SP publica no quadro de avisos."
    )


def test_a_sentence_goes_on_over_the_page_and_its_place_is_known(tmp_path: Path) -> None:
    first = ["O operador confere a carga na doca e registra a ocorrência no sistema e depois"] * 2
    second = ["avisa a supervisão da unidade."]
    found = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [_page(first), _page(second)]))
    assert "\n" not in found.text
    assert found.text[found.pages[1].start :] == "avisa a supervisão da unidade."


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"coluna um linha {n:02d} fala do prazo de entrega" for n in range(14)]
    right = [f"coluna dois linha {n:02d} fala do limite de gasto" for n in range(14)]
    page = [(60.0, 740.0 - 13 * n, line, BODY, 9.0) for n, line in enumerate(left)]
    page += [(320.0, 740.0 - 13 * n, line, BODY, 9.0) for n, line in enumerate(right)]
    text = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [page])).text
    assert text.index("coluna um linha 13") < text.index("coluna dois linha 00")


def test_a_table_without_lines_is_told_by_its_columns(tmp_path: Path) -> None:
    rows = [("Cidade", "Prazo", "Valor"), ("Bagé", "3 dias", "R$ 10,00"), ("Lages", "5 dias", "R$ 20,00"),
            ("Ijuí", "7 dias", "R$ 30,00")]  # fmt: skip
    page = [
        (x, 700.0 - 14 * y, cell, BOLD if y == 0 else BODY, 10.0)
        for y, row in enumerate(rows)
        for x, cell in zip((72.0, 220.0, 360.0), row, strict=True)
    ]
    found = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [page]))
    assert found.text.split("\n")[0] == "Cidade: Bagé; Prazo: 3 dias; Valor: R$ 10,00"
    assert len(found.text.split("\n")) == 3


def test_a_contents_page_with_leaders_is_dropped(tmp_path: Path) -> None:
    contents = [(72.0, 740.0, "Sumário", BOLD, 14.0)] + [
        (72.0, 700.0 - 14 * n, f"{n}. Parte {n} {'.' * 60} {n + 1}", BODY, 10.0) for n in range(1, 4)
    ]
    parts = [
        [(72.0, 740.0, f"{n}. Parte {n}", BOLD, 14.0), (72.0, 700.0, f"O texto da parte {n} é este.", BODY, 10.0)]
        for n in range(1, 4)
    ]
    found = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [contents, *parts]))
    assert found.text.startswith("1. Parte 1\nO texto da parte 1")
    assert "Sumário" not in found.text


@pytest.mark.parametrize(
    "line",
    [
        "Art. 1º O prazo é de dez dias úteis.",
        "Dica: leia o manual antes de operar.",
        "em negrito, mas no meio da frase",
    ],
)
def test_a_line_that_only_stands_out_is_no_heading(tmp_path: Path, line: str) -> None:
    page = [(72.0, 740.0, "1. Regras", BOLD, 14.0), *_page(["Texto comum da política."] * 3, top=700.0)]
    page.append((72.0, 640.0, line, BODY, 10.0))
    found = PdfExtractor().extract(files.lines_pdf(tmp_path / "x.pdf", [page]))
    assert [s.heading for s in found.sections] == ["1. Regras"]
