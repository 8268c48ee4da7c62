"""Portuguese text to terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from documents.rules.terms import analyse, analyse_question, code_candidates, fold, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("aprovação", "aprovar"), ("aprovações", "aprovacao"), ("aprovacoes", "aprovado"), ("férias", "ferias"),
        ("responsável", "responsaveis"), ("cartão", "cartoes"), ("vigência", "vigencias"), ("usuário", "usuarios"),
        ("eﬁcaz", "eficaz"), ("caminhão", "caminhões"), ("caminhao", "caminhoes"),
            ("órgão", "orgaos"), ("mensal", "mensais"), ("papel", "papéis"), ("hotel", "hoteis"), ("útil", "úteis"),
            ("util", "uteis"), ("nível", "níveis"), ("viagem", "viagens"), ("armazém", "armazéns"), ("lei", "leis"),
            ("reembolsos", "reembolso"), ("permissível", "permissivel"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet_however_they_are_accented(one: str, other: str) -> None:
    assert analyse(one).stems == analyse(other).stems != ()


@pytest.mark.parametrize(("one", "other"), [("aprovação", "prova"), ("férias", "feira"), ("manual", "mensal")])
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("O CD-SP e o CD/RJ", ("cdsp", "cdrj")),
        ("ANTT 5.947", ("antt5947",)),
        ("Resolução ANTT nº 5.947/2021", ("antt5947",)),
        ("POL-2021-0123", ("pol20210123",)),
        ("formulário FRM-RH-012.", ("frmrh012",)),
        ("NR 35 e NR-20", ("nr20", "nr35")),
        ("ISO 9001", ("iso9001",)),
        ("versão v3", ("v3",)),
        ("home-office e/ou segunda-feira", ()),
        ("em 01/03/2026 às 14h", ()),
        ("R$ 5.000,00", ()),
    ],
)
def test_codes_are_kept_whole_without_separators(text: str, codes: tuple[str, ...]) -> None:
    assert sorted(analyse(text).codes) == sorted(codes)


@pytest.mark.parametrize("typed", ["cd sp", "cdsp", "CD SP", "cd-sp", "Cd/Sp", "cd.sp", "qual o sla cd sp?"])
def test_every_way_to_type_a_code_is_a_candidate(typed: str) -> None:
    assert "cdsp" in code_candidates(typed)


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("5.947", ("5947",)), ("R$ 5.000,00", ("5000",)), ("3,5%", ("3,5",)), ("01/03/2026", ("1", "3", "2026")),
        ("art. 5º, § 2º", ("art", "5", "2")), ("14h", ("14",)), ("1.234,50", ("1234,5",)), ("0", ("0",)),
    ],
)  # fmt: skip
def test_numbers_lose_what_is_only_spelling(text: str, stems: tuple[str, ...]) -> None:
    assert analyse(text).stems == stems


def test_stop_words_go_with_and_without_accents_but_content_stays() -> None:
    assert analyse("não é nao e você voce também tambem").stems == ()
    assert analyse("o que é a média?").stems == analyse("media").stems


def test_a_question_loses_its_wrapping_but_never_everything() -> None:
    assert analyse_question("oi, gostaria de saber se posso pedir reembolso").stems == analyse("pedir reembolso").stems
    assert analyse_question("como funciona?").stems != ()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("qual o prazo em Manaus?", {"manaus"}), ("Manaus tem CD?", {"cd"}), ("o que é SLA", {"sla"}),
        ("Férias. Quem aprova?", set()), ("QUAL O PRAZO EM MANAUS", set()), ("Qual o Prazo de Viagem Nacional", set()),
    ],
)  # fmt: skip
def test_names_are_told_by_their_capitals_where_capitals_mean_something(question: str, names: set[str]) -> None:
    assert {token.folded for token in analyse_question(question).tokens if token.name} == names


def test_soft_hyphens_and_decomposed_accents_do_not_split_words() -> None:
    assert analyse("apro\u00advac\u0327a\u0303o").stems == analyse("aprovação").stems


def test_fold_is_plain_lower_case() -> None:
    assert fold("ÁÇÃO ﬁm") == "acao fim"


@given(st.text(st.characters(max_codepoint=0x24F, exclude_categories=["Cs"]), max_size=200))
def test_any_text_has_plain_terms(text: str) -> None:
    for terms in (analyse(text), analyse_question(text)):
        for token in terms.tokens:
            assert token.stem
            assert " " not in token.stem
            assert token.stem == fold(token.stem)
    assert all(2 <= len(code) <= 24 for code in (*analyse(text).codes, *code_candidates(text)))
