"""The normal form of text, anchors, hyphens, tables and items: small rules, many cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.extractors.anchors import anchors
from documents.extractors.encoding import decode
from documents.extractors.hyphens import LineJoiner
from documents.extractors.inline_items import split_inline_items
from documents.extractors.tables import render
from documents.extractors.text import normalise, repair_mojibake
from documents.rules.legal import section_number


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("conﬁguração ﬂuxo eﬃcaz", "configuração fluxo efficaz"),
        ("acentuac\u0327a\u0303o", "acentuação"),
        ("docu\u00admento", "documento"),
        ("R$\u00a01.000,00\u202fpor dia", "R$ 1.000,00 por dia"),
        ("a\u200bb\ufeffc\u202ed", "abcd"),
        ("a\x00b\x07c", "abc"),
        ("a\tb   c", "a b c"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("a\n\n\n\n b \nc", "a\n\nb\nc"),
        ("segunda\u2011feira", "segunda-feira"),
        ("\uf0b7 item", "• item"),
        ("“aspas” – traço — § 1º 2ª nº ½ ‘x’ …", "“aspas” – traço — § 1º 2ª nº ½ ‘x’ …"),
    ],
)
def test_text_has_one_normal_form(raw: str, expected: str) -> None:
    assert normalise(raw) == expected


@given(st.text())
def test_the_normal_form_is_stable(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


def test_anchors_name_the_part_and_are_unique() -> None:
    headings = ["4. Prazos", "4.2 Exceções", "Art. 5º", "Art. 5º-A – Multa", "ANEXO A – Contatos", "Anexo II",
                "Seção 3", "Disposições finais", "Disposições finais", "4. Outra", "10 passos para vender",
                "§"]  # fmt: skip
    assert anchors(headings) == [
        "secao-4", "secao-4-2", "art-5", "art-5-a", "anexo-a", "anexo-ii", "secao-3", "disposicoes-finais",
        "disposicoes-finais-2", "secao-4-3", "10-passos-para-vender", "secao",
    ]  # fmt: skip


def test_a_duplicate_never_takes_the_anchor_of_a_later_section() -> None:
    assert anchors(["1. A", "1. B", "1.2 C", "1.2 D", "Início"]) == [
        "secao-1", "secao-1-3", "secao-1-2", "secao-1-2-2", "inicio-2",
    ]  # fmt: skip


@given(st.lists(st.text(max_size=30), max_size=20))
def test_anchors_are_unique_ascii_for_any_heading(headings: list[str]) -> None:
    found = anchors(headings)
    assert len(set(found)) == len(headings)
    assert all(anchor and anchor.isascii() and " " not in anchor for anchor in found)


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("4. Prazos", ("4",)), ("4 Prazos", ("4",)), ("4 – Prazos", ("4",)), ("4) Prazos", ("4",)),
        ("4.2 Prazos", ("4", "2")), ("4.2. Prazos", ("4", "2")), ("4.2.1 – prazos", ("4", "2", "1")),
        ("Seção 4", ("4",)), ("Cláusula 3 – Foro", ("3",)), ("10 passos para vender", None), ("2026", None),
        ("2026 em números", None), ("Prazos", None), ("1.000 pedidos", None), ("04. Prazos", ("4",)),
    ],
)  # fmt: skip
def test_the_number_of_a_heading(heading: str, number: tuple[str, ...] | None) -> None:
    assert section_number(heading) == number


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        ("o docu-", "mento vale", "o documento vale"),
        ("na segunda-", "feira cedo", "na segunda-feira cedo"),
        ("o CD-", "SP opera", "o CD-SP opera"),
        ("a POL-2021-", "0123 vale", "a POL-2021-0123 vale"),
        ("de 10-", "12 dias", "de 10-12 dias"),
        ("destina-", "se ao setor", "destina-se ao setor"),
        ("é preciso utilizá-", "lo bem", "é preciso utilizá-lo bem"),
        ("a aná-", "lise vale", "a análise vale"),
        ("a análi-", "se vale", "a análise vale"),
        ("a clas-", "se vale", "a classe vale"),
        ("o e-", "mail chega", "o e-mail chega"),
        ("o pré-", "aviso vale", "o pré-aviso vale"),
        ("o ex-", "diretor saiu", "o ex-diretor saiu"),
        ("ver https://x.example/package-", "management.html", "ver https://x.example/package-management.html"),
        ("os pla-", "nos mudam", "os planos mudam"),
        ("uma frase", "continua", "uma frase continua"),
        ("uma frase –", "continua", "uma frase – continua"),
    ],
)
def test_lines_are_joined_as_a_reader_would(left: str, right: str, joined: str) -> None:
    assert LineJoiner([]).join(left, right) == joined


def test_the_document_itself_tells_a_compound_from_a_broken_word() -> None:
    assert LineJoiner(["o vale-transporte é pago"]).join("o vale-", "transporte") == "o vale-transporte"
    assert LineJoiner(["a contraproposta vale"]).join("a contra-", "proposta") == "a contraproposta"


def test_a_row_says_its_columns() -> None:
    grid = [["Cargo", "Limite"], ["Gerente", "R$ 5,00"], ["Diretor", "R$ 9,00"]]
    assert render(grid) == ["Cargo: Gerente; Limite: R$ 5,00", "Cargo: Diretor; Limite: R$ 9,00"]


def test_two_columns_of_names_and_values_have_no_header() -> None:
    assert render([["Código:", "POL-1"], ["Versão:", "v2"]]) == ["Código: POL-1", "Versão: v2"]


def test_two_header_rows_make_one_name() -> None:
    grid = [["Cargo", "Limite", "Limite"], ["Cargo", "Brasil", "Exterior"], ["Gerente", "R$ 5,00", "US$ 9"]]
    assert render(grid, 2) == ["Cargo: Gerente; Limite Brasil: R$ 5,00; Limite Exterior: US$ 9"]


def test_a_title_inside_a_table_and_empty_parts_are_handled() -> None:
    grid = [["Limites", "Limites", "Limites"], ["Cargo", "Item", "Valor"], ["", "", ""], ["Gerente", "", "R$ 5,00"]]
    assert render(grid) == ["Limites", "Cargo: Gerente; Valor: R$ 5,00"]
    assert render([]) == []
    assert render([["só um"]]) == ["só um"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("São vedados: a) fumar; b) correr; e c) dormir.", ["São vedados:", "a) fumar;", "b) correr; e", "c) dormir."]),
        ("a) fumar; b) correr.", ["a) fumar;", "b) correr."]),
        ("Considera-se: I – dado: x; II – titular: y.", ["Considera-se:", "I – dado: x;", "II – titular: y."]),
        ("4.1 – Cabe ao RH; 4.2 – Cabe ao gestor.", ["4.1 – Cabe ao RH;", "4.2 – Cabe ao gestor."]),
        ("Art. 5º O prazo corre. § 1º Não para.", ["Art. 5º O prazo corre.", "§ 1º Não para."]),
        ("Nos casos: a) x; b) y; II – z: a) w; b) v.", ["Nos casos:", "a) x;", "b) y; II – z:", "a) w;", "b) v."]),
        ("Conforme a alínea b) do contrato; depois, b) vale.", ["Conforme a alínea b) do contrato; depois, b) vale."]),
        ("O turno: a) manhã.", ["O turno: a) manhã."]),
    ],
)
def test_items_typed_in_one_run_get_lines_of_their_own(text: str, lines: list[str]) -> None:
    assert split_inline_items(text).split("\n") == lines


@given(st.text(alphabet="ab)( ;:.IV–§1º\n", max_size=80))
def test_splitting_items_changes_nothing_but_spaces(text: str) -> None:
    found = split_inline_items(text)
    assert len(found) == len(text)
    assert found.replace("\n", " ") == text.replace("\n", " ")


@pytest.mark.parametrize(
    ("data", "text", "warns"),
    [
        ("<meta charset=utf-8>ação".encode(), "<meta charset=utf-8>ação", False),
        ("<meta charset=iso-8859-1>ação".encode("latin-1"), "<meta charset=iso-8859-1>ação", False),
        ("<meta charset=iso-8859-1>ação".encode(), "<meta charset=iso-8859-1>ação", True),
        ("<meta charset=utf-8>ação".encode("cp1252"), "<meta charset=utf-8>ação", False),
        ("“ação” – 5 €".encode("cp1252"), "“ação” – 5 €", False),
        (b"\xef\xbb\xbfa\xc3\xa7\xc3\xa3o", "ação", False),
        ("ação".encode("utf-16"), "ação", False),
        (b"<meta charset=invalido>a\xe7\xe3o", "<meta charset=invalido>ação", False),
    ],
)
def test_the_bytes_decide_the_encoding(data: bytes, text: str, warns: bool) -> None:
    found, warnings = decode(data)
    assert found == text
    assert bool(warnings) is warns


def test_text_read_in_the_wrong_encoding_is_repaired_only_where_it_is_full_of_it() -> None:
    wrong = "A polÃ\u00adtica de Ã§Ã£o estÃ¡ em revisÃ£o"
    assert repair_mojibake(wrong) == "A política de ção está em revisão"
    assert repair_mojibake("CHÃ£o uma vez") == "CHÃ£o uma vez"
