"""What a document says of one unit answers nothing about another."""

from __future__ import annotations

from chat.rules.coverage import units
from chat.rules.naming import missing_codes
from chat.rules.selection import Ranked, by_codes
from documents.rules.types import Reason
from tests.chat.passages import passage

KNOWN = {"cdsp": 3, "cdrj": 2, "picking": 9, "praz": 9}
GLOSSARY = {"cdsp": ("centro de distribuição de São Paulo",)}

HERE = passage("O picking é concluído em 4 horas úteis.", "Manual de operação CD-SP > 4. Prazos", 1)
THERE = passage("Chamados P1 são atendidos em 30 minutos.", "Corporate SLA > 3. Prioridade", 2)
BY_NAME = passage("O centro de distribuição de São Paulo abre às 6h.", "Horários > Unidades", 3)
SCATTERED = passage("Centro de custo: a distribuição de verba de São Paulo.", "Verbas > Regras", 4)


def test_a_code_is_looked_for_in_heading_text_and_expansion() -> None:
    missing = missing_codes(units("qual o prazo do CD-SP", KNOWN, 100, GLOSSARY), [HERE, THERE, BY_NAME, SCATTERED])
    assert missing == {"doc-1": (), "doc-2": ("cdsp",), "doc-3": (), "doc-4": ("cdsp",)}


def test_one_passage_of_a_document_names_it_for_all() -> None:
    other = passage("Pedidos expressos levam 2 horas úteis.", "Manual > Expresso", 1)
    assert missing_codes(units("prazo no CD-SP", KNOWN, 100), [other, HERE]) == {"doc-1": ()}


def test_a_question_without_codes_asks_for_none() -> None:
    assert missing_codes(units("qual o prazo de picking", KNOWN, 100), [HERE, THERE]) == {"doc-1": (), "doc-2": ()}


def test_where_one_document_names_the_code_the_others_do_not_speak() -> None:
    ranked = [Ranked(THERE, 2.0), Ranked(HERE, 1.0)]
    missing = missing_codes(units("qual o SLA do CD-SP", KNOWN, 100), [HERE, THERE])
    assert [item.reason for item in by_codes(ranked, missing)] == [Reason.BELOW_THRESHOLD, Reason.ELIGIBLE]


def test_where_none_does_the_list_stays_for_the_refusal_to_judge() -> None:
    ranked = [Ranked(THERE, 2.0), Ranked(HERE, 1.0)]
    missing = missing_codes(units("qual o SLA do CD-RJ", KNOWN, 100), [HERE, THERE])
    assert by_codes(ranked, missing) == ranked
    assert all(missing.values())
