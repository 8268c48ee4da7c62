"""Questions as they are typed on a phone reach the words of the base; names and codes stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.spelling import SHORT, Vocabulary, mend, nearest, write_out

BASE = {
    "adiantamento": ("adiantamento",),
    "botina": ("botina",),
    "esta": ("esta", "está"),
    "faculdade": ("faculdade",),
    "ferias": ("ferias", "férias"),
    "motorista": ("motorista",),
    "onibus": ("ônibus",),
    "pais": ("pais", "país"),
    "palete": ("palete",),
    "perigosa": ("perigosa",),
    "por": ("pôr",),
    "reembolso": ("reembolso",),
    "refeicao": ("refeição",),
    "rescisao": ("rescisão",),
    "reuniao": ("reunião",),
    "salario": ("salário",),
    "seguranca": ("segurança",),
    "transportadora": ("transportadora",),
    "vale": ("vale",),
    "viagem": ("viagem",),
}
LANGUAGE = {
    "academia": "academia", "camisa": "camisa", "farmacia": "farmácia", "ferias": "férias", "gravata": "gravata",
    "onus": "ônus", "pais": "", "segurado": "segurado", "viagens": "viagens",
}  # fmt: skip
VOCABULARY = Vocabulary(BASE, lambda: LANGUAGE)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("qto é o VR?", "quanto é o VR?"),
        ("ate q horas tem q fechar hj", "ate que horas tem que fechar hoje"),
        ("qnts", "qnts"),
        ("vc sabe pq?", "você sabe por que?"),
        ("quem aprova no CD-SP", "quem aprova no CD-SP"),
        ("plano Q e item C", "plano Q e item C"),
        ("n de dias p sair", "não de dias para sair"),
    ],
)
def test_short_forms_are_written_out(typed: str, meant: str) -> None:
    assert write_out(typed) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a empresa paga facudade?", "a empresa paga faculdade?"),
        ("carga perigoza", "carga perigosa"),
        ("recisão do motorsta", "rescisão do motorista"),
        ("adiantameto do salrio", "adiantamento do salário"),
        ("tem academia?", "tem academia?"),
        ("vale gravata", "vale gravata"),
        ("férias em dobro", "férias em dobro"),
        ("CD-Manaus e Faculdad", "CD-Manaus e Faculdad"),
        ("FACUDADE", "FACUDADE"),
        ("abcdefgh", "abcdefgh"),
        ("fale", "fale"),
    ],
)
def test_what_is_no_word_is_spelled_as_the_base_spells_it(typed: str, meant: str) -> None:
    assert mend(typed, VOCABULARY) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("sala de reuniao", "sala de reunião"),  # the base has one spelling
        ("ferias na seguranca", "férias na segurança"),  # it has two, and the language settles which
        ("convenio com farmacia", "convenio com farmácia"),  # it has none, but the language has
        ("fora do pais", "fora do pais"),  # two words, and nobody knows which
        ("férias na reuniâo", "férias na reuniâo"),  # as many accents as the base has, if another one
        ("refeiçao da viágem", "refeição da viágem"),  # half of them are given, half are lost; none is taken away
        ("por quanto tempo", "por quanto tempo"),  # a word without content is that word, whatever the base has
        ("Reuniao do CD-Reuniao", "Reuniao do CD-Reuniao"),
        ("a reuniao da Seguranca", "a reunião da Seguranca"),  # a name stays as it is
    ],
)
def test_a_word_gets_its_accents_back_where_one_spelling_is_meant(typed: str, meant: str) -> None:
    assert mend(typed, VOCABULARY) == meant


def test_two_words_as_near_leave_the_slip_alone() -> None:
    assert nearest("segurxxa", ("seguranca", "segurarra")) is None


def test_the_dictionary_is_not_read_for_words_of_the_base() -> None:
    def never() -> dict[str, str]:
        raise AssertionError("the dictionary was read")

    assert mend("vale refeicao do motorista", Vocabulary(BASE, never)) == "vale refeição do motorista"


@given(st.text(max_size=80))
def test_any_text_keeps_what_is_not_a_word(text: str) -> None:
    def rest(value: str) -> str:
        return "".join(letter for letter in value if not letter.isalpha() and not letter.isspace())

    assert rest(mend(write_out(text), VOCABULARY)) == rest(text)


def test_no_short_form_stands_for_another() -> None:
    assert not {word for meaning in SHORT.values() for word in meaning.split()} & SHORT.keys()
