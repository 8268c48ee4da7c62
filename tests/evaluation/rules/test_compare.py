"""Two systems are compared question by question."""

from __future__ import annotations

import pytest

from evaluation.rules.compare import Paired, paired
from evaluation.rules.judging import Judged, judge
from tests.evaluation.rules.made import PRAZOS, case, given


def both(wanted: str, one: str, other: str, **changes: object) -> tuple[Judged, Judged]:
    asked = case(wanted)
    places = {status: (PRAZOS,) if status == "answered" else () for status in (one, other)}
    return judge(asked, given(one, *places[one])), judge(asked, given(other, *places[other], **changes))


def compared(*pairs: tuple[Judged, Judged]) -> dict[str, Paired]:
    return {line.name: line for line in paired([a for a, _b in pairs], [b for _a, b in pairs])}


def test_only_the_questions_where_they_differ_decide():
    lines = compared(
        *(both("answered", "answered", "answered") for _ in range(4)),
        *(both("not_found", "not_found", "answered") for _ in range(5)),
        both("answered", "not_found", "answered"),
    )

    right = lines["right"]
    assert (right.n, right.only_a, right.only_b) == (10, 5, 1)
    assert (right.a, right.b, right.difference) == (0.9, 0.5, pytest.approx(0.4))
    assert right.interval[0] < right.difference < right.interval[1]
    refusal = lines["right_refusal"]
    assert (refusal.n, refusal.a, refusal.b, refusal.p) == (5, 1.0, 0.0, pytest.approx(2 / 32))
    assert (lines["wrong_refusal"].n, lines["wrong_refusal"].only_a) == (5, 1)


def test_an_invention_of_one_shows():
    lines = compared(both("answered", "answered", "answered", unsupported=1))

    assert (lines["invention"].a, lines["invention"].b) == (0.0, 1.0)


def test_nothing_to_compare_gives_no_difference():
    (refusal,) = [line for line in paired([], []) if line.name == "right_refusal"]

    assert (refusal.n, refusal.difference, refusal.interval, refusal.p) == (0, 0.0, (-1.0, 1.0), 1.0)


def test_other_questions_are_not_compared():
    one, _other = both("answered", "answered", "answered")
    another, _other = both("answered", "answered", "answered")

    with pytest.raises(ValueError, match="same questions"):
        paired([one], [another])
