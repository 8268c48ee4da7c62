"""Gates are data, and each one that does not hold is named."""

from __future__ import annotations

import pytest

from evaluation.rules.gates import BadGates, failed, read
from evaluation.rules.judging import judge
from evaluation.rules.metrics import by_tag, report
from tests.evaluation.rules.made import PRAZOS, case, given

JUDGED = [
    *(judge(case(tags=("held",)), given("answered", PRAZOS, ranked=(PRAZOS,))) for _ in range(3)),
    judge(case(), given("not_found")),
    judge(case("not_found"), given("not_found")),
]


def lines(gates: object) -> list[str]:
    return failed(read(gates), report("final", JUDGED), by_tag("final", JUDGED))


def test_gates_that_hold_say_nothing():
    assert lines({"right_source": {"min": 1}, "wrong_refusal": {"max": 0.25}, "n": {"min": 5, "max": 5}}) == []


def test_each_gate_that_fails_is_named_with_its_figure():
    assert lines({"wrong_refusal": {"max": 0.12}, "recall@1": {"min": 0.8}, "invention": {"max": 0}}) == [
        "wrong_refusal is 0.25, above 0.12",
        "recall@1 is 0.75, below 0.8",
    ]


def test_a_gate_may_ask_of_one_tag():
    assert lines({"held/wrong_refusal": {"max": 0}, "held/n": {"min": 4}}) == ["held/n is 3, below 4"]


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ({}, "expected"),
        ([], "expected"),
        ({"mrr": 0.9}, "min, max or both"),
        ({"mrr": {}}, "min, max or both"),
        ({"mrr": {"least": 1}}, "min, max or both"),
        ({"mrr": {"min": "high"}}, "min is not a number"),
        ({"mrr": {"max": True}}, "max is not a number"),
        ({"beauty": {"min": 1}}, "beauty: not one of"),
        ({"nowhere/mrr": {"min": 1}}, "no question has the tag 'nowhere'"),
    ],
)
def test_gates_that_ask_for_nothing_known_are_refused(gates: object, said: str):
    with pytest.raises(BadGates) as caught:
        lines(gates)

    assert said in str(caught.value)
