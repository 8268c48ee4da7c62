"""What an answer was, judged against what was expected of it."""

from __future__ import annotations

import pytest

from chat.rules.types import Status
from evaluation.rules.cases import Source
from evaluation.rules.judging import Place, judge, matches
from tests.evaluation.rules.made import PRAZOS, case, given, judged

ELSEWHERE = Place("ops-matriz-sla", ("4. Prazos",), "secao-4")


@pytest.mark.parametrize(
    ("wanted", "got", "verdict", "ok"),
    [
        ("answered", "answered", "right_source", True),
        ("conflict", "conflict", "right_source", True),
        ("answered", "not_found", "wrong_refusal", False),
        ("conflict", "not_found", "wrong_refusal", False),
        ("answered", "conflict", "other", False),
        ("conflict", "answered", "other", False),
        ("answered", "unavailable", "other", False),
        ("not_found", "not_found", "right_refusal", True),
        ("needs_date", "needs_date", "right_refusal", True),
        ("blocked", "blocked", "right_refusal", True),
        ("not_found", "answered", "false_answer", False),
        ("needs_date", "answered", "false_answer", False),
        ("needs_date", "not_found", "other", False),
        ("not_found", "unavailable", "other", False),
    ],
)
def test_the_verdict_follows_from_what_was_wanted_and_given(wanted: str, got: str, verdict: str, ok: bool):
    result = judged(wanted, got)

    assert (result.verdict, result.ok) == (verdict, ok)
    assert bool(result.why) is not ok


def test_a_look_alike_is_a_wrong_source():
    result = judged("answered", "answered", ELSEWHERE)

    assert result.verdict == "wrong_source"
    assert "ops-matriz-sla#secao-4" in result.why


def test_one_acceptable_source_among_the_cited_is_enough():
    assert judged("answered", "answered", ELSEWHERE, PRAZOS).ok


def test_any_of_the_acceptable_sources_is_right():
    either = case(sources=(Source("x", None), Source("ops-cd-sp", "4. Prazos")))

    assert judge(either, given("answered", PRAZOS)).ok


def test_every_fact_must_be_in_the_answer():
    both = case(facts=("4 horas úteis", "até as 14h"))

    result = judge(both, given("answered", PRAZOS, text="São 4 horas  úteis."))

    assert (result.verdict, result.ok) == ("missing_fact", False)
    assert "até as 14h" in result.why
    assert judge(both, given("answered", PRAZOS, text="Até as 14h: 4\u00a0horas\núteis.")).ok


@pytest.mark.parametrize("wanted", ["answered", "not_found", "needs_date"])
def test_a_claim_without_a_literal_quote_is_an_invention_whatever_was_expected(wanted: str):
    result = judged(wanted, "answered", PRAZOS, unsupported=1)

    assert (result.verdict, result.ok) == ("invention", False)


@pytest.mark.parametrize(
    ("section", "right"),
    [
        (None, True),
        ("secao-4", True),
        ("4. Prazos", True),
        ("Prazos", True),
        ("PRAZOS", True),
        ("Operação", True),
        ("Prazo", False),
        (". Prazos", False),
        ("5. Prazos", False),
    ],
)
def test_a_place_is_in_a_section_by_anchor_by_heading_or_below_it(section: str | None, right: bool):
    assert matches(Source("ops-cd-sp", section), PRAZOS) is right


def test_a_number_of_a_section_is_not_the_end_of_a_longer_one():
    assert not matches(Source("doc", "4.1 Tabela"), Place("doc", ("14.1 Tabela",), "x"))


def test_another_document_is_never_the_source():
    assert not matches(Source("ops", None), PRAZOS)


def test_the_rank_is_that_of_the_first_acceptable_passage():
    assert judge(case(), given(ranked=(ELSEWHERE, PRAZOS, PRAZOS))).rank == 2
    assert judge(case(), given(ranked=(ELSEWHERE,))).rank is None
    assert judge(case(), given(Status.NOT_FOUND, ranked=(PRAZOS,))).rank == 1
