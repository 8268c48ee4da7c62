"""Suggestions are headings of official texts in force that this person may be quoted, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from chat.suggestions import _unnumbered, suggestions
from documents.reader import reader_of
from tests import factories
from tests.chat.browsing import page_of

pytestmark = pytest.mark.django_db
LONG = "O prazo de separação de pedidos é de quatro horas úteis para pedidos recebidos até as 14h de um dia útil. " * 2


def offered(person: object, code: str = "") -> list[str]:
    return [one.title for one in suggestions(reader_of(person), code)]  # type: ignore[arg-type]


def in_force(code: str, heading: str = "4. Prazos", **attributes: object) -> None:
    factories.group("todos")
    values: dict[str, object] = {"readers": ["group:todos"], "owner": factories.person(), "title": code} | attributes
    state = {name: values.pop(name) for name in ("state", "start", "until") if name in values}
    made = factories.document(code, **values)  # type: ignore[arg-type]
    factories.revision(made, text=f"{heading}\n{LONG}\n", **({"state": "published", "start": date(2025, 1, 1)} | state))  # type: ignore[arg-type]


def test_only_what_the_person_may_be_quoted_today_is_offered() -> None:
    in_force("aberto")
    in_force("fechado", readers=[])
    in_force("sem-dono", owner=None)
    in_force("de-outra-unidade", scope_units=["POA"])
    in_force("rascunho", state="draft")
    in_force("futuro", start=date(2999, 1, 1))
    in_force("vencido", until=date(2025, 2, 1))
    in_force("wiki", authority="unofficial")
    in_force("sem-titulo", heading="")
    person = factories.person()
    assert offered(person) == ["aberto"]
    assert offered(person, "fechado") == []
    assert offered(person, "fecha\0do") == offered(person, "\0") == [], "what no code can be is a code of nothing"
    assert offered(factories.person(is_active=False)) == []


def test_the_persons_own_area_comes_first_then_the_newest() -> None:
    in_force("novo", area_slug="rh", start=date(2026, 5, 1))
    in_force("velho", area_slug="rh", start=date(2025, 5, 1))
    in_force("proprio", area_slug="operacoes", start=date(2024, 1, 1))
    assert offered(factories.person(areas=["operacoes"])) == ["proprio", "novo", "velho"]


def test_a_suggestion_fills_the_box_and_asks_nothing(client: Client) -> None:
    in_force("Manual do CD")
    client.force_login(factories.person())
    page = page_of(client.get("/"))
    assert "O que “Manual do CD” diz sobre prazos?" in page
    filled = page_of(client.get("/", {"pergunta": "O que “Manual do CD” diz sobre prazos?"}))
    assert "O que “Manual do CD” diz sobre prazos?</textarea>" in filled


def test_a_heading_that_asks_is_the_question() -> None:
    in_force("Perguntas", heading="3. Com quem falo sobre férias?")
    (one,) = suggestions(reader_of(factories.person()))
    assert one.question == "Com quem falo sobre férias?"


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("1. Objetivo", "Objetivo"),
        ("5.2 Alçadas", "Alçadas"),
        ("Art. 5º Prazos", "Prazos"),
        ("Capítulo IV - Férias", "Férias"),
        ("II) Limites", "Limites"),
        ("Anexo I – Tabela", "Tabela"),
        ("Anexo A. Formulários", "Formulários"),
        ("Civil", "Civil"),
        ("Com quem falo?", "Com quem falo?"),
        ("13º salário", "13º salário"),
        ("4h úteis", "4h úteis"),
        ("Anexo de preços", "Anexo de preços"),
    ],
)
def test_a_heading_loses_its_number_and_no_word(heading: str, name: str) -> None:
    assert _unnumbered(heading) == name


def test_a_heading_that_only_repeats_the_title_asks_nothing() -> None:
    in_force("Política de Férias", heading="1. POLÍTICA DE FÉRIAS")
    assert offered(factories.person()) == []
