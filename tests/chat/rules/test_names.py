"""The asker's own name goes from what is kept; words that only look like it stay."""

from __future__ import annotations

import pytest

from chat.rules.names import without_names

NAMES = ("fulana.tal", "Fulana", "de Tal Sobrenome dos Anjos")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("sou a Fulana, qual o prazo?", "sou a [NOME], qual o prazo?"),
        ("FULANA DE TAL SOBRENOME pergunta", "[NOME] pergunta"),
        ("Fulana Sobrenome dos Anjos pergunta", "[NOME] pergunta"),
        ("login fulana.tal não entra", "login [NOME] não entra"),
        ("fulana.tal@empresa.example", "[NOME]@empresa.example"),
        ("os anjos de tal forma", "os [NOME] forma"),
        ("o talão da fulanas", "o talão da fulanas"),
        ("dos prazos", "dos prazos"),
        ("", ""),
    ],
)
def test_the_words_of_a_name_are_labelled(text: str, kept: str) -> None:
    assert without_names(text, NAMES) == kept


@pytest.mark.parametrize("text", ["sou o João", "sou o JOAO", "sou o joa\u0303o"])
def test_accents_and_case_do_not_hide_a_name(text: str) -> None:
    assert without_names(text, ["João"]) == "sou o [NOME]"


def test_a_label_is_left_as_it_is() -> None:
    once = without_names("Fulana aqui", ["Fulana"])
    assert without_names(once, ["Fulana"]) == once


@pytest.mark.parametrize("names", [(), ("",), ("A", "Li")])
def test_without_a_name_of_some_length_nothing_changes(names: tuple[str, ...]) -> None:
    assert without_names("a regra da Li é a B", names) == "a regra da Li é a B"
