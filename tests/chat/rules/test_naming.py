"""What a document says of one unit answers nothing about another."""

from __future__ import annotations

from chat.rules.coverage import Unit, units
from chat.rules.naming import unnamed
from chat.rules.selection import Ranked, by_naming
from documents.rules.types import Reason
from tests.chat.passages import passage

KNOWN = {"cdsp": 3, "cdrj": 2, "picking": 9, "praz": 9, "sla": 2}
GLOSSARY = {"cdsp": ("centro de distribuição de São Paulo",), "sla": ("prazo de picking", "nível de serviço")}

HERE = passage("O picking é concluído em 4 horas úteis.", "Manual de operação CD-SP > 4. Prazos", 1)
THERE = passage("Chamados P1 são atendidos em 30 minutos.", "Corporate SLA > 3. Prioridade", 2)
BY_NAME = passage("O centro de distribuição de São Paulo abre às 6h.", "Horários > Unidades", 3)
SCATTERED = passage("Centro de custo: a distribuição de verba de São Paulo.", "Verbas > Regras", 4)


def asked(question: str) -> tuple[Unit, ...]:
    return units(question, KNOWN, 100, GLOSSARY)


def test_a_code_is_looked_for_in_heading_text_and_expansion() -> None:
    passages = [HERE, THERE, BY_NAME, SCATTERED]
    assert unnamed(asked("que horas abre o CD-SP"), passages) == {1: (), 2: ("cdsp",), 3: (), 4: ("cdsp",)}


def test_one_passage_of_a_document_names_its_unit_for_all() -> None:
    other = passage("Pedidos expressos levam 2 horas úteis.", "Manual > Expresso", 5, document="doc-1")
    assert unnamed(asked("expresso no CD-SP"), [other, HERE]) == {5: (), 1: ()}


def test_a_term_of_the_glossary_has_to_stand_in_the_passage_itself() -> None:
    yard = passage("O pátio tem 30 vagas.", "Manual de operação CD-SP > 9. Pátio", 6, document="doc-1")
    assert unnamed(asked("qual o SLA do CD-SP"), [HERE, yard, THERE]) == {1: (), 6: ("sla",), 2: ("cdsp",)}


def test_a_question_that_names_nothing_asks_for_nothing() -> None:
    assert unnamed(asked("quanto tempo leva o picking"), [HERE, THERE]) == {1: (), 2: ()}


def test_where_one_passage_has_what_is_named_the_others_do_not_speak() -> None:
    ranked = [Ranked(THERE, 2.0), Ranked(HERE, 1.0)]
    lacking = unnamed(asked("qual o SLA do CD-SP"), [HERE, THERE])
    assert [item.reason for item in by_naming(ranked, lacking)] == [Reason.BELOW_THRESHOLD, Reason.ELIGIBLE]


def test_where_none_has_it_the_list_stays_for_the_refusal_to_judge() -> None:
    ranked = [Ranked(THERE, 2.0), Ranked(HERE, 1.0)]
    lacking = unnamed(asked("qual o SLA do CD-RJ"), [HERE, THERE])
    assert by_naming(ranked, lacking) == ranked
    assert all(lacking.values())
