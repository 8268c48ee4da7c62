"""Each verdict is counted over the questions that it can happen to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.rules.types import Usage
from evaluation.rules.judging import Judged, Place, judge
from evaluation.rules.metrics import by_tag, report
from tests.evaluation.rules.made import PRAZOS, case, given, judged

ELSEWHERE = Place("other", (), "x")


def ten() -> list[Judged]:
    """Answerable: 3 right, 1 lacks its fact, 1 wrong source, 2 refused. Not: 1 refused, 1 answered, 1 down."""
    return [
        *(judged() for _ in range(3)),
        judge(case(facts=("nunca",)), given("answered", PRAZOS)),
        judged("answered", "answered", ELSEWHERE),
        judged("answered", "not_found"),
        judged("conflict", "not_found"),
        judged("not_found", "not_found"),
        judged("not_found", "answered"),
        judged("not_found", "unavailable"),
    ]


def test_counts_and_rates():
    whole = report("final", ten())

    assert (whole.n, whole.answerable, whole.unanswerable) == (10, 7, 3)
    assert whole.counts == {
        "right_source": 4,
        "right_document": 4,
        "right_answer": 3,
        "missing_fact": 1,
        "wrong_source": 1,
        "wrong_refusal": 2,
        "right_refusal": 1,
        "false_answer": 1,
        "invention": 0,
    }
    assert whole.other == {"unavailable": 1}
    assert whole.rates["right_source"] == pytest.approx(4 / 5), "of those that were answered"
    assert whole.rates["right_answer"] == pytest.approx(3 / 7), "of all that could be"
    assert whole.rates["wrong_refusal"] == pytest.approx(2 / 7)
    assert whole.rates["right_refusal"] == pytest.approx(1 / 3)


def test_the_right_document_in_another_section_is_told_apart():
    whole = report("final", [judged(), judged("answered", "answered", Place("ops-cd-sp", ("9. Fim",), "secao-9"))])

    assert (whole.rates["right_source"], whole.rates["right_document"]) == (0.5, 1.0)


def test_every_question_is_counted_once():
    whole = report("final", ten())

    once = ("right_source", "wrong_source", "wrong_refusal", "right_refusal", "false_answer", "invention")
    assert sum(whole.counts[name] for name in once) + sum(whole.other.values()) == whole.n


def test_an_invention_is_no_right_source_and_no_false_answer():
    whole = report("final", [judged(unsupported=2), judged("not_found", "answered", unsupported=1)])

    assert whole.counts["invention"] == 2
    assert whole.rates["invention"] == 1.0
    assert whole.counts["right_source"] == whole.counts["false_answer"] == 0


def test_refusing_everything_is_not_a_good_system():
    whole = report("final", [judged("answered", "not_found"), judged("not_found", "not_found")])

    assert (whole.rates["right_refusal"], whole.rates["wrong_refusal"], whole.rates["right_answer"]) == (1.0, 1.0, 0.0)


def test_ranking_counts_the_answerable_questions_and_those_not_found():
    ranks = [(PRAZOS,), (ELSEWHERE, PRAZOS), (ELSEWHERE,) * 5 + (PRAZOS,), (ELSEWHERE,)]
    whole = report(
        "final",
        [*(judge(case(), given(ranked=ranked)) for ranked in ranks), judge(case("not_found"), given(ranked=(PRAZOS,)))],
    )

    assert whole.recall == {1: 0.25, 3: 0.5, 5: 0.5, 10: 0.75}
    assert whole.mrr == pytest.approx((1 + 1 / 2 + 1 / 6) / 4)


def test_tokens_and_cost_are_summed_and_told_by_question():
    used = Usage(100, 40, 10, 0.5)
    paid = [replace(j, given=replace(j.given, usage=used, ms=float(ms))) for ms, j in enumerate(ten())]

    whole = report("final", paid)

    assert whole.usage == Usage(1000, 400, 100, 5.0)
    assert whole.cost_per_question == 0.5
    assert whole.ms == 4.5


def test_a_tag_is_a_report_of_its_own_questions():
    tagged = [
        judge(case(tags=("sigla", "held")), given("answered", PRAZOS)),
        judge(case(tags=("held",)), given("not_found")),
    ]

    parts = by_tag("final", tagged)

    assert {tag: part.n for tag, part in parts.items()} == {"held": 2, "sigla": 1}
    assert parts["held"].rates["wrong_refusal"] == 0.5


def test_nothing_counted_is_nothing_claimed():
    empty = report("final", [])

    assert empty.rates["right_source"] == 0.0
    assert empty.intervals["right_source"] == (0.0, 1.0)
    assert (empty.mrr, empty.ms, empty.cost_per_question) == (0.0, 0.0, 0.0)
