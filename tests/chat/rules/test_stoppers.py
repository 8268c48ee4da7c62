"""What would have stopped a source: each statement is true by the rule itself, and none is missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from chat.rules.stoppers import Stop, Stopper, stoppers
from documents.rules.eligibility import decide
from documents.rules.types import Classification, Facts, Reader, Reason, State, Window

ON = date(2026, 11, 30)
READER = Reader(
    "k", 7, True, named_groups=frozenset({"todos", "equipe"}), areas=frozenset({"rh"}), units=frozenset({"CD-SP"}),
    jurisdictions=frozenset({"BR", "BR-SP"}),
)  # fmt: skip
FACTS = Facts(
    State.PUBLISHED,
    Window(date(2026, 3, 1), date(2027, 3, 1)),
    owner_id=1,
    classification=Classification.INTERNAL,
    group_grants=frozenset({"equipe", "outra"}),
    unit_grants=frozenset({"CD-SP"}),
    scope_units=frozenset({"CD-SP", "CD-RJ"}),
    scope_jurisdictions=frozenset({"BR-SP"}),
)


def test_every_fact_that_lets_it_in_is_told_with_its_reason() -> None:
    assert stoppers(READER, FACTS, ON, ON) == (
        Stopper(Stop.NO_GRANT, Reason.NO_PERMISSION, ("group:equipe", "unit:CD-SP")),
        Stopper(Stop.OTHER_UNIT, Reason.OUT_OF_SCOPE, ("CD-RJ", "CD-SP")),
        Stopper(Stop.OTHER_JURISDICTION, Reason.OTHER_JURISDICTION, ("BR-SP",)),
        Stopper(Stop.NOT_PUBLISHED, Reason.DRAFT),
        Stopper(Stop.BEFORE_START, Reason.NOT_YET_IN_FORCE, day=date(2026, 2, 28)),
        Stopper(Stop.FROM_END, Reason.EXPIRED, day=date(2027, 3, 1)),
        Stopper(Stop.RETIRED, Reason.RETIRED),
        Stopper(Stop.NO_OWNER, Reason.NO_OWNER),
    )


def test_what_would_not_have_stopped_it_is_not_told() -> None:
    bare = replace(
        FACTS, scope_units=frozenset(), scope_jurisdictions=frozenset(), validity=Window(date(2026, 3, 1), None)
    )
    told = {stopper.stop for stopper in stoppers(READER, bare, ON, ON)}
    assert not told & {Stop.OTHER_UNIT, Stop.OTHER_JURISDICTION, Stop.FROM_END}
    owner = replace(READER, user_id=1)
    assert Stop.NO_GRANT not in {stopper.stop for stopper in stoppers(owner, FACTS, ON, ON)}


def test_the_days_are_the_last_before_and_the_first_after() -> None:
    days = {stopper.stop: stopper.day for stopper in stoppers(READER, FACTS, ON, ON)}
    before, after = days[Stop.BEFORE_START], days[Stop.FROM_END]
    assert before is not None
    assert after is not None
    assert decide(READER, FACTS, before + timedelta(1), ON).allowed
    assert decide(READER, FACTS, after - timedelta(1), ON).allowed


def test_of_a_source_that_is_not_let_in_nothing_is_told() -> None:
    assert stoppers(READER, replace(FACTS, owner_id=None), ON, ON) == ()
    assert stoppers(replace(READER, active=False), FACTS, ON, ON) == ()


def test_before_the_first_day_of_the_calendar_there_is_no_day_to_tell() -> None:
    always = replace(FACTS, validity=Window(date.min, None))
    assert Stop.BEFORE_START not in {stopper.stop for stopper in stoppers(READER, always, ON, ON)}
