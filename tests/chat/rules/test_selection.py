"""From the ranked list to what is sent: who prevails, doubles, authority, budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.selection import (
    IN_PLAY,
    PER_DOCUMENT,
    SENT,
    Ranked,
    by_authority,
    by_precedence,
    cut,
    official_first,
    without_doubles,
)
from documents.rules.types import Authority, Reason
from tests.chat.passages import passage

Prevails = Callable[[str, str], tuple[str, bool] | None]


def ranked(*codes: str, scores: Sequence[float] = ()) -> list[Ranked]:
    """One passage for each code, in this order."""
    given_scores = scores or [float(len(codes) - n) for n in range(len(codes))]
    return [
        Ranked(passage(f"texto {n}", chunk_id=n, document=code), score)
        for n, (code, score) in enumerate(zip(codes, given_scores, strict=True), 1)
    ]


def rules(*pairs: tuple[str, str], strict: bool = True) -> Prevails:
    """`(winner, loser)` pairs."""

    def decide(a: str, b: str) -> tuple[str, bool] | None:
        for winner, loser in pairs:
            if {a, b} == {winner, loser}:
                return winner, strict
        return None

    return decide


def standing(items: Sequence[Ranked]) -> list[str]:
    return [item.passage.document for item in items if item.stands]


def test_without_a_rule_the_order_stays() -> None:
    items = ranked("a", "b", "a")
    assert by_precedence(items, rules()) == items


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_what_yields_to_a_mandatory_rule_falls_whatever_its_place(order: str) -> None:
    result = by_precedence(ranked(*order), rules(("a", "b")))
    assert standing(result) == ["a"]
    assert {i.passage.document: i.reason for i in result}["b"] is Reason.LOWER_PRECEDENCE


def test_all_passages_of_what_yields_fall_at_any_depth() -> None:
    items = ranked("a", *(f"x{n}" for n in range(IN_PLAY + 3)), "b", "b")
    assert "b" not in standing(by_precedence(items, rules(("a", "b"))))


def test_a_text_that_does_not_speak_to_the_question_excludes_nothing() -> None:
    items = ranked("b", *(f"x{n}" for n in range(IN_PLAY)), "a")
    assert standing(by_precedence(items, rules(("a", "b"))))[0] == "b"


@pytest.mark.parametrize("scores", [(2.0, 1.0), (1.0, 1.0), (2.0, 1.0 + 1e-9)])
def test_what_a_preferential_rule_prefers_goes_first_and_both_stand(scores: tuple[float, float]) -> None:
    assert standing(by_precedence(ranked("b", "a", scores=scores), rules(("a", "b"), strict=False))) == ["a", "b"]


def test_preferences_chain() -> None:
    chain = rules(("a", "b"), ("b", "c"), ("a", "c"), strict=False)
    assert standing(by_precedence(ranked("c", "b", "a"), chain)) == ["a", "b", "c"]


def test_a_preference_does_not_jump_over_third_texts_that_rank_higher_still() -> None:
    assert standing(by_precedence(ranked("x", "b", "a"), rules(("a", "b"), strict=False))) == ["x", "a", "b"]


def test_a_double_falls_and_the_better_placed_one_stays() -> None:
    first, other = Ranked(passage("o mesmo", chunk_id=1), 2.0), Ranked(passage("o mesmo", chunk_id=2), 1.0)
    result = without_doubles([first, other])
    assert [item.reason for item in result] == [Reason.ELIGIBLE, Reason.DUPLICATE]


def test_a_double_of_what_fell_is_none() -> None:
    fallen = Ranked(passage("o mesmo", chunk_id=1), 2.0, Reason.LOWER_PRECEDENCE)
    assert without_doubles([fallen, Ranked(passage("o mesmo", chunk_id=2), 1.0)])[1].stands


OFFICIAL, UNOFFICIAL, ONE_OFF = Authority.OFFICIAL, Authority.UNOFFICIAL, Authority.ONE_OFF


@pytest.mark.parametrize(
    ("authorities", "stands"),
    [
        ([OFFICIAL, UNOFFICIAL, OFFICIAL], [True, False, True]),
        ([OFFICIAL, ONE_OFF, UNOFFICIAL], [True, True, False]),
        ([UNOFFICIAL, OFFICIAL], [True, True]),
        ([ONE_OFF, UNOFFICIAL], [True, True]),
        ([], []),
    ],
)
def test_beside_a_leading_official_text_no_editable_one_speaks(
    authorities: list[Authority], stands: list[bool]
) -> None:
    items = [Ranked(passage("t", chunk_id=n, authority=a), -float(n)) for n, a in enumerate(authorities)]
    assert [item.stands for item in official_first(items)] == stands


@pytest.mark.parametrize(
    ("authorities", "covers", "order"),
    [
        ([UNOFFICIAL, OFFICIAL], [0.8, 0.8], [1, 0]),
        ([ONE_OFF, OFFICIAL], [0.8, 1.0], [1, 0]),
        ([UNOFFICIAL, OFFICIAL], [0.8, 0.7], [0, 1]),
        ([UNOFFICIAL, ONE_OFF, OFFICIAL, OFFICIAL], [0.5, 0.9, 0.5, 0.6], [2, 0, 3, 1]),
        ([OFFICIAL, UNOFFICIAL, OFFICIAL], [0.1, 0.9, 0.9], [0, 1, 2]),
        ([UNOFFICIAL, ONE_OFF], [0.5, 0.9], [0, 1]),
        ([], [], []),
    ],
)
def test_an_official_text_that_says_as_much_goes_first(
    authorities: list[Authority], covers: list[float], order: list[int]
) -> None:
    items = [Ranked(passage("t", chunk_id=n, authority=a), -float(n)) for n, a in enumerate(authorities)]
    result = by_authority(items, dict(enumerate(covers)))
    assert [item.passage.chunk_id for item in result] == order
    assert all(item.stands for item in result)


def test_a_governed_rule_goes_before_authority() -> None:
    items = [
        Ranked(passage("t", chunk_id=1, document="wiki", authority=UNOFFICIAL), 2.0),
        Ranked(passage("u", chunk_id=2, document="politica", authority=OFFICIAL), 1.0),
    ]
    officially = by_authority(items, {1: 1.0, 2: 1.0})
    assert standing(officially) == ["politica", "wiki"]
    assert standing(by_precedence(officially, rules(("wiki", "politica"), strict=False))) == ["wiki", "politica"]


def test_what_leads_is_what_stands() -> None:
    fallen = Ranked(passage("t", authority=OFFICIAL), 2.0, Reason.LOWER_PRECEDENCE)
    assert official_first([fallen, Ranked(passage("u", chunk_id=2, authority=UNOFFICIAL), 1.0)])[1].stands


@given(st.lists(st.sampled_from("abcd"), max_size=30))
def test_few_are_sent_and_few_of_one_document(codes: list[str]) -> None:
    result = cut(ranked(*codes))
    sent = standing(result)
    assert len(sent) <= SENT
    assert all(sent.count(code) <= PER_DOCUMENT for code in sent)
    assert [item.passage for item in result] == [item.passage for item in ranked(*codes)]
    left = [item for item in result if not item.stands]
    assert all(item.reason is Reason.BUDGET for item in left)
    if left:  # nothing is held back while there is room for it
        assert len(sent) == SENT or all(sent.count(item.passage.document) == PER_DOCUMENT for item in left)
