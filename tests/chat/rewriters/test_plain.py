"""Searches from the glossary: terms found as people type them, spelled out as documents write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rewriters.plain import MAX_SEARCHES, Rewriter
from chat.rules.types import GlossaryTerm, Search

GLOSSARY = (
    GlossaryTerm("SLA", ("prazo", "nível de serviço"), "operacoes"),
    GlossaryTerm("CD-SP", ("centro de distribuição de São Paulo",)),
    GlossaryTerm("CD", ("centro de distribuição",)),
    GlossaryTerm("VR", ("vale-refeição",), "rh"),
    GlossaryTerm("TI", ("tecnologia da informação",), "ti"),
    GlossaryTerm("EPI", ("equipamento de proteção individual",), "seguranca"),
    GlossaryTerm("banco de horas", ("compensação de jornada",), "rh"),
    GlossaryTerm("vazio", ("",)),
)


def texts(question: str) -> list[str]:
    return [search.text for search in Rewriter().rewrite(question, GLOSSARY)]


def test_the_question_comes_first_and_a_plain_one_alone() -> None:
    assert Rewriter().rewrite("Quantos dias de férias?", GLOSSARY) == [Search("Quantos dias de férias?")]
    assert Rewriter().rewrite("qual o SLA?", ()) == [Search("qual o SLA?")]


def test_terms_are_followed_by_their_expansions_then_replaced() -> None:
    assert texts("qual o SLA do CD-SP?") == [
        "qual o SLA do CD-SP?",
        "qual o SLA prazo do CD-SP centro de distribuição de São Paulo?",
        "qual o nível de serviço do centro de distribuição de São Paulo?",
    ]


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("qual o vr?", "qual o vr vale-refeição?"),
        ("qual o sla", "qual o sla prazo"),
        ("os SLAs mudaram?", "os SLAs prazo mudaram?"),
        ("suporte de TI", "suporte de TI tecnologia da informação"),
        ("o CD abre?", "o CD centro de distribuição abre?"),
        ("BANCO DE HORAS vence?", "BANCO DE HORAS compensação de jornada vence?"),
        ("epi obrigatorio", "epi equipamento de proteção individual obrigatorio"),
    ],
)
def test_terms_are_found_as_people_type_them(question: str, second: str) -> None:
    assert texts(question)[1] == second


@pytest.mark.parametrize(
    "question",
    ["isso é para ti?", "slalom", "CD-RJ abre?", "o prazo do SLA", "vale-refeição (VR)", "EPIC", "está vazio"],
)
def test_what_is_no_term_or_is_spelled_out_already_is_left(question: str) -> None:
    assert texts(question) == [question]


def test_an_area_narrows_only_where_all_terms_agree() -> None:
    assert [s.area for s in Rewriter().rewrite("qual o SLA do CD-SP?", GLOSSARY)] == [None, "operacoes", "operacoes"]
    assert {s.area for s in Rewriter().rewrite("SLA do VR", GLOSSARY)} == {None}


@given(st.text(max_size=60), st.lists(st.builds(GlossaryTerm, st.text(max_size=5), st.tuples(st.text(max_size=9)))))
def test_never_fails_and_keeps_the_question_first(question: str, glossary: list[GlossaryTerm]) -> None:
    searches = Rewriter().rewrite(question, glossary)
    assert searches[0] == Search(question)
    assert len(searches) <= MAX_SEARCHES
    assert len({search.text for search in searches}) == len(searches)
