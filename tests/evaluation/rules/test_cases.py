"""A question set is read whole, and everything that is wrong with it is told at once."""

from __future__ import annotations

import json
from datetime import date

import pytest

from chat.rules.types import Status, Turn
from evaluation.rules.cases import BadSet, Source, read

GOOD = {
    "id": "ops-1",
    "question": "e para o CD-RJ?",
    "as": "ana.ops",
    "on": "2024-03-01",
    "history": [{"role": "user", "text": "qual o SLA do CD-SP?"}, {"role": "assistant", "text": "4 horas úteis"}],
    "expect": {"status": "answered", "sources": [["ops-cd-rj", "4. Prazos"], ["matriz", None]], "facts": ["6 horas"]},
    "tags": ["sigla"],
}


def lines(*cases: object) -> list[str]:
    return [json.dumps(case) for case in cases]


def changed(**changes: object) -> dict[str, object]:
    return GOOD | changes


def expecting(**changes: object) -> dict[str, object]:
    return GOOD | {"expect": GOOD["expect"] | changes}  # type: ignore[operator]


def test_a_case_is_read_with_all_that_it_says():
    (case,) = read(["", *lines(GOOD)])

    assert (case.id, case.person, case.line) == ("ops-1", "ana.ops", 2)
    assert case.on == date(2024, 3, 1)
    assert case.history == (Turn("user", "qual o SLA do CD-SP?"), Turn("assistant", "4 horas úteis"))
    assert case.status is Status.ANSWERED
    assert case.sources == (Source("ops-cd-rj", "4. Prazos"), Source("matriz", None))
    assert (case.facts, case.tags) == (("6 horas",), ("sigla",))
    assert case.answerable


def test_what_may_be_left_out_is_empty():
    (case,) = read(lines({"id": "a", "question": "?", "as": "ana", "expect": {"status": "not_found"}}))

    assert (case.on, case.history, case.sources, case.facts, case.tags) == (None, (), (), (), ())
    assert not case.answerable


@pytest.mark.parametrize(
    ("status", "answerable"),
    [("answered", True), ("conflict", True), ("not_found", False), ("needs_date", False), ("blocked", False)],
)
def test_answerable_is_what_the_base_has_something_to_say_on(status: str, answerable: bool):
    assert read(lines(expecting(status=status)))[0].answerable is answerable


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (changed(answer="x"), "unknown key 'answer'"),
        (expecting(source=[]), "unknown key 'source'"),
        (expecting(status="maybe"), "'maybe' is not a valid Status"),
        (expecting(sources=[]), "needs `sources`"),
        (expecting(sources=["ops-cd-sp"]), "a source is"),
        (expecting(sources=[["a", "b", "c"]]), "a source is"),
        (changed(on="ontem"), "Invalid isoformat"),
        (changed(question=" "), "`question` must be a text"),
        (changed(history=[{"role": "system", "text": "x"}]), "unknown role 'system'"),
        ({key: value for key, value in GOOD.items() if key != "as"}, "the key 'as' is missing"),
        ([1], "a case must be an object"),
    ],
)
def test_a_bad_case_is_told_with_its_line(bad: object, said: str):
    with pytest.raises(BadSet) as caught:
        read(lines(GOOD | {"id": "first"}, bad))

    assert "line 2" in str(caught.value)
    assert said in str(caught.value)


def test_every_problem_is_told_at_once():
    with pytest.raises(BadSet) as caught:
        read([*lines(GOOD, GOOD), "{not json", *lines(changed(id="b", on="2024-13-01"))])

    assert [problem.split(":")[0] for problem in str(caught.value).split("; ")] == ["line 2", "line 3", "line 4"]


def test_an_empty_set_is_refused():
    with pytest.raises(BadSet, match="no questions"):
        read(["", "\n"])
