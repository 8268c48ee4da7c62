"""Real files that break extractors: what a reader must find in them, and must not."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from documents.extractors import extract
from documents.rules.types import Extraction

FOLDER = Path(os.environ.get("KB_SHARED_DATA") or Path(__file__).resolve().parents[4] / "shared" / "data") / "ugly_docs"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="needs the public test data: KB_SHARED_DATA or ../shared/data"
)


def read(name: str) -> Extraction:
    found = extract(FOLDER / name)
    assert not re.search(r"[\ufb00-\ufb06\u00ad\u200b\u00a0]|\n{3,}|  ", found.text)
    assert found.sections[0].start == 0
    assert found.sections[-1].end == len(found.text)
    assert len({section.anchor for section in found.sections}) == len(found.sections)
    return found


def test_ligatures_hyphens_and_a_dated_header_of_the_installation_manual() -> None:
    found = read("ecidade-manual-instalacao.pdf")
    assert "14 de Julho de 2017" not in found.text
    assert (
        "configuração do repositório podem ser obtidas em: https://www.postgresql.org/download/linux/ubuntu/"
        in found.text
    )
    assert "serverguide/package-management.html" in found.text
    assert "[linux]$ sudo apt -y install apache2" in found.text.split("\n")
    assert [s.anchor for s in found.sections][:6] == [
        "inicio",
        "secao-1",
        "secao-1-1",
        "secao-1-2",
        "secao-1-3",
        "secao-2",
    ]
    assert "secao-2-3-1" in {s.anchor for s in found.sections}
    assert (
        "Termo: cluster; Significado: http://www.postgresql.org/docs/8.2/interactive/creating-cluster.html"
        in found.text
    )
    assert len(found.pages) == 16


def test_the_page_header_of_the_loans_manual_is_gone() -> None:
    found = read("ecidade-consignados.pdf")
    assert "Manual de Utilização" not in found.text
    assert [s.heading for s in found.sections] == [
        "Controle de Empréstimos Consignados",
        "Manutenção dos Contratos de Empréstimo",
        "Conferência dos Contratos de Empréstimo",
        "Processamento dos dados no Ponto",
    ]
    item = "● Cancelar: é possível cancelar um contrato, para que o desconto em folha não seja mais realizado."
    assert item in found.text.split("\n")


def test_entities_and_the_repeated_contents_of_the_purchases_manual() -> None:
    found = read("ecidade-manual-compras.html")
    assert found.text.startswith(
        "MÓDULO COMPRAS\n\nIntrodução\nAs prefeituras, como entidades públicas, estão obrigadas"
    )
    assert "Sumário" not in found.text
    assert len(found.sections) > 100
    path = ("CADASTROS", "Grupos de Material/Serviço", "Inclusão")
    assert path in {section.path for section in found.sections}


def test_fields_clauses_and_items_of_the_contract() -> None:
    found = read("ecidade-contrato-agua.docx")
    assert [s.anchor for s in found.sections] == ["inicio", *(f"secao-{n}" for n in range(1, 10))]
    assert "${contrato-nome}" in found.text
    assert len(found.warnings) == 1
    assert found.text.count("\nb) ") == 2
    assert "Este contrato entra em vigor:\n5.1 – A partir do recebimento" in found.text


def test_the_table_of_the_bulletin_over_its_pages() -> None:
    found = read("rows-balneabilidade-tabela.pdf")
    rows = [line for line in found.text.split("\n") if line.startswith("Ponto - Código: ")]
    assert len(rows) == 60
    assert all("; Local da Coleta: " in row and re.search(r"; Categoria: (Própria|Imprópria)$", row) for row in rows)
    assert (
        "Ponto - Código: Boa Viagem - SSA BV 100; Local da Coleta: Ao lado do forte Monte Serrat e em frente ao muro "
        "lateral da Fundação Luís Eduardo , junto a rampa de acesso à praia.; Categoria: Própria" in rows
    )


def test_the_table_of_the_harvest_without_lines() -> None:
    rows = [line for line in read("rows-milho-tabela.pdf").text.split("\n") if line.startswith("Regiões do IMEA: ")]
    assert len(rows) == 18
    assert all(row.count("; ") == 8 for row in rows)
    assert rows[1].startswith("Regiões do IMEA: 19-mai-17; Centro-Sul: 0,29%; Médio-Norte: 0,45%")
    assert rows[-1].startswith("Regiões do IMEA: ∆ Safra 15/16 para Safra 16/17*; Centro-Sul: 1,21 p.p.")
