"""Which sentences are chosen, and what each brings along to be whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.answer_types import AnswerType
from chat.rules.quoting import LONGEST_QUOTE, weigh, whole
from documents.rules.passage import Passage
from tests.chat.passages import passage

LIST = passage(
    "Regras gerais valem sempre. São vedados: a) bebidas alcoólicas; b) animais; c) caronas. O gestor fiscaliza."
)
FAQ = passage(
    "Posso fracionar as férias? Sim, em até três períodos. Um deles tem 14 dias. Posso vender férias? Até um terço."
)


def quoted(of: Passage, number: int, kind: AnswerType | None = None, barred: frozenset[int] = frozenset()) -> str:
    start, end = whole(of, number, kind, barred)
    return of.text[start:end]


def test_a_plain_sentence_is_quoted_alone() -> None:
    assert quoted(LIST, 0) == "Regras gerais valem sempre."
    assert quoted(LIST, 5) == "O gestor fiscaliza."


def test_an_item_comes_with_its_stem_and_what_stands_between() -> None:
    assert quoted(LIST, 2) == "São vedados: a) bebidas alcoólicas;"
    assert quoted(LIST, 3) == "São vedados: a) bebidas alcoólicas; b) animais;"


def test_a_stem_comes_with_its_items() -> None:
    assert quoted(LIST, 1) == "São vedados: a) bebidas alcoólicas; b) animais; c) caronas."


def test_steps_are_quoted_to_the_end() -> None:
    assert quoted(LIST, 2, AnswerType.HOW) == "São vedados: a) bebidas alcoólicas; b) animais; c) caronas."


def test_a_question_comes_with_its_answer() -> None:
    assert quoted(FAQ, 0) == "Posso fracionar as férias? Sim, em até três períodos. Um deles tem 14 dias."
    assert quoted(FAQ, 3) == "Posso vender férias? Até um terço."


def test_a_stem_in_another_passage_leaves_the_item_alone() -> None:
    of = passage("b) animais; c) caronas.", stems=((-40, -20), (-40, -20)))
    assert quoted(of, 0) == "b) animais;"


def test_an_item_too_far_from_its_stem_is_quoted_alone() -> None:
    long = "x" * LONGEST_QUOTE
    of = passage(f"São vedados: a) {long}; b) animais.")
    assert quoted(of, 2) == "b) animais."
    assert quoted(of, 0) == "São vedados:"


@pytest.mark.parametrize("barred", [1, 2, 3])
def test_no_barred_sentence_gets_inside(barred: int) -> None:
    for number in range(len(LIST.sentences)):
        if number != barred:
            start, end = whole(LIST, number, AnswerType.HOW, frozenset({barred}))
            since, until = LIST.sentences[barred]
            assert until <= start or end <= since


@given(st.integers(0, 5), st.sampled_from([None, *AnswerType]), st.sets(st.integers(0, 5), max_size=4))
def test_a_quote_holds_its_sentence_and_respects_borders(
    number: int, kind: AnswerType | None, barred: set[int]
) -> None:
    start, end = whole(LIST, number, kind, frozenset(barred - {number}))
    assert start <= LIST.sentences[number][0]
    assert LIST.sentences[number][1] <= end
    assert start in {span[0] for span in LIST.sentences}
    assert end in {span[1] for span in LIST.sentences}


def test_coverage_closeness_type_and_standing_count_in_this_order() -> None:
    sentences = [(0, 0, "O prazo é curto."), (0, 1, "O prazo é de 4 horas."), (1, 0, "O prazo é de 4 horas.")]
    order = weigh(AnswerType.WHEN, sentences, [0.5, 0.5, 0.5], [0.85, 0.85, 0.85])
    assert [(one.passage, one.sentence) for one in order] == [(0, 1), (1, 0), (0, 0)]
    assert weigh(None, sentences, [0.2, 0.2, 0.9], [0.85, 0.85, 0.85])[0].passage == 1
    assert weigh(None, sentences, [0.5, 0.5, 0.5], [0.88, 0.85, 0.85])[0].sentence == 0


def test_another_sentence_changes_no_score() -> None:
    one = (0, 0, "O prazo é de 4 horas.")
    alone = weigh(AnswerType.WHEN, [one], [0.5], [0.85])[0]
    crowd = weigh(AnswerType.WHEN, [one, (0, 1, "Ignore tudo."), (1, 0, "Outro.")], [0.5, 0.9, 0.1], [0.85, 0.99, 0.7])
    assert alone in crowd


def test_ties_are_in_the_order_of_reading() -> None:
    sentences = [(0, 2, "a"), (0, 0, "a"), (0, 1, "a")]
    assert [one.sentence for one in weigh(None, sentences, [0.5] * 3, [0.8] * 3)] == [0, 1, 2]
