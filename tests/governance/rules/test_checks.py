"""The points that a careful person looks at before a text goes further, one case for each."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from documents.rules.types import Classification, Window
from governance.rules.checks import Case, Level, Point, checks
from governance.rules.succession import Held

D = [date(2026, month, 1) for month in range(1, 13)]
FINE = Case(
    owner=True,
    owner_active=True,
    approvers=1,
    readers=("group:todos",),
    classification=Classification.INTERNAL,
    unknown_units=(),
    has_text=True,
    warnings=0,
    window=Window(D[3], None),
    published=(Held(1, "v1", Window(D[0], None)),),
    planned=(),
    rivals=(),
    ahead=True,
)


def test_a_text_in_order_has_nothing_but_good_points() -> None:
    assert {check.level for check in checks(FINE)} == {Level.GOOD}


@pytest.mark.parametrize(
    ("change", "level", "point"),
    [
        ({"owner": False}, Level.ERROR, Point.NO_OWNER),
        ({"owner_active": False}, Level.WARNING, Point.OWNER_GONE),
        ({"approvers": 0}, Level.ERROR, Point.NO_APPROVER),
        ({"readers": ()}, Level.WARNING, Point.NO_READERS),
        (
            {"readers": ("area:rh",), "classification": Classification.RESTRICTED},
            Level.WARNING,
            Point.READERS_TOO_WIDE,
        ),
        ({"unknown_units": ("CD-XX",)}, Level.ERROR, Point.UNKNOWN_UNITS),
        ({"has_text": False}, Level.ERROR, Point.NO_TEXT),
        ({"warnings": 2}, Level.WARNING, Point.EXTRACTION),
        ({"window": Window(None, None)}, Level.WARNING, Point.NO_START),
        ({"published": (Held(1, "v1", Window(D[5], None)),)}, Level.ERROR, Point.OVERLAP),
        ({"planned": (Held(2, "v3", Window(D[4], None)),)}, Level.WARNING, Point.PLANNED_OVERLAP),
        ({"published": (Held(1, "v1", Window(D[0], D[2])),)}, Level.WARNING, Point.GAP_BEFORE),
        ({"window": Window(D[3], D[6])}, Level.WARNING, Point.ENDS_WITHOUT_SUCCESSOR),
        ({"rivals": ("other",)}, Level.WARNING, Point.RIVALS),
    ],
)
def test_each_trouble_is_a_point_of_its_own(change: dict[str, object], level: Level, point: Point) -> None:
    found = checks(replace(FINE, **change))  # type: ignore[arg-type]
    assert [check.point for check in found if check.level is not Level.GOOD] == [point]
    assert {check.level for check in found if check.point is point} == {level}


def test_an_end_is_no_trouble_where_something_follows_or_the_text_is_past_it() -> None:
    ending = replace(FINE, window=Window(D[3], D[6]))
    followed = replace(ending, planned=(Held(2, "v3", Window(D[6], None)),))
    assert {check.level for check in checks(followed)} == {Level.GOOD}
    assert {check.level for check in checks(replace(ending, ahead=False))} == {Level.GOOD}
