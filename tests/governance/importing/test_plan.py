"""What an import does with a revision, given what the portal holds: every case, no database."""

from __future__ import annotations

from datetime import date

import pytest

from documents.rules.types import State, Window
from governance.importing.manifest import RevisionEntry
from governance.importing.plan import Held, Plan, Refusal, Step, is_change, plan

TODAY = date(2026, 11, 30)
PAST, JAN, JUN, NEXT, LATER = (
    date(2025, 1, 1), date(2026, 1, 1), date(2026, 6, 1), date(2027, 1, 1), date(2027, 6, 1),
)  # fmt: skip
NEVER = Window(date.min, date.min)


def entry(state: State, start: date | None = JAN, until: date | None = None, label: str = "v1") -> RevisionEntry:
    return RevisionEntry(label, "a.md", state, "rita", "", start, until, 1)


def held(
    state: State,
    start: date | None = JAN,
    until: date | None = None,
    label: str = "v1",
    content: str = "old",
    in_force: Window | None = None,
) -> Held:
    counts = state in (State.PUBLISHED, State.RETIRED)
    window = Window(start, until)
    return Held(1, label, state, content, window, in_force or (window if counts else None))


def planned(wanted: RevisionEntry, *have: Held, content: str = "old", listed: frozenset[str] | None = None) -> Plan:
    return plan(wanted, content, have, listed or frozenset({wanted.label}), TODAY)


D, V, A, P, R = State.DRAFT, State.IN_REVIEW, State.APPROVED, State.PUBLISHED, State.RETIRED


def test_what_is_not_there_is_created() -> None:
    assert planned(entry(P)) == Plan(Step.CREATE, "v1", Window(JAN, None))


def test_a_text_that_comes_late_ends_where_the_next_one_begins() -> None:
    """Its file could not be read when its successor went in."""
    made = planned(entry(P), held(P, JUN, label="v2"), listed=frozenset({"v1", "v2"}))
    assert made == Plan(Step.CREATE, "v1", Window(JAN, JUN))
    explicit = planned(entry(P, JAN, date(2026, 3, 1)), held(P, JUN, label="v2"))
    assert explicit.window == Window(JAN, date(2026, 3, 1))
    withdrawn = planned(entry(P), held(R, JUN, label="v2", in_force=NEVER))
    assert withdrawn.window == Window(JAN, None)


@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("wanted", State)
def test_the_same_file_goes_on_and_never_back(state: State, wanted: State) -> None:
    made = planned(entry(wanted), held(state))
    order = list(State)
    assert made.step is Step.KEEP
    assert made.refusal == (Refusal.BACKWARDS if order.index(state) > order.index(wanted) else None)
    assert not made.needs_text


@pytest.mark.parametrize(("state", "step"), [(D, Step.REWRITE), (V, Step.REWORK), (A, Step.REWORK)])
def test_what_was_not_published_is_written_again(state: State, step: Step) -> None:
    for wanted in (s for s in State if list(State).index(s) >= list(State).index(state)):
        made = planned(entry(wanted), held(state), content="new")
        assert (made.step, made.label, made.refusal, made.needs_text) == (step, "v1", None, True)


@pytest.mark.parametrize("state", [D, V, A])
def test_new_dates_of_what_was_not_published_are_written_too(state: State) -> None:
    made = planned(entry(P, JUN), held(state, JAN))
    assert made.step in (Step.REWRITE, Step.REWORK)
    assert made.window == Window(JUN, None)


def test_dates_that_were_bounded_by_a_successor_are_no_new_dates() -> None:
    later = held(P, JUN, label="v2")
    assert planned(entry(A), held(A, JAN, JUN), later).step is Step.KEEP
    assert planned(entry(A), held(A, JAN), later).step is Step.KEEP


def test_a_published_text_that_changed_gets_a_successor_from_today() -> None:
    made = planned(entry(P), held(P), content="new")
    assert (made.step, made.label, made.window) == (Step.SUCCEED, "v1-2", Window(TODAY, None))
    assert (made.withdraw, made.refusal) == (False, None)


def test_the_successor_ends_where_the_entry_or_the_next_text_says() -> None:
    ends = planned(entry(P, JAN, NEXT), held(P, JAN, NEXT), content="new")
    assert ends.window == Window(TODAY, NEXT)
    future = planned(entry(P), held(P, JAN, NEXT), held(P, NEXT, label="v2"), content="new")
    assert future.window == Window(TODAY, NEXT)


@pytest.mark.parametrize("start", [TODAY, NEXT])
def test_a_text_that_had_no_whole_day_in_force_is_withdrawn(start: date) -> None:
    made = planned(entry(P, start), held(P, start), content="new")
    assert (made.step, made.label, made.window) == (Step.SUCCEED, "v1-2", Window(start, None))
    assert made.withdraw


def test_each_change_counts_on_and_stands_for_the_entry() -> None:
    family = [held(P, JAN, JUN), held(P, JUN, label="v1-2", content="newer")]
    assert planned(entry(P), *family, content="newer").step is Step.KEEP
    made = planned(entry(P), *family, content="newest")
    assert (made.label, made.current) == ("v1-3", family[1])


def test_labels_that_the_manifest_gives_of_its_own_are_no_changes() -> None:
    listed = frozenset({"v1", "v1-2"})
    own = [held(P, JAN, JUN), held(P, JUN, label="v1-2", content="two")]
    assert planned(entry(P, JAN), *own, listed=listed).step is Step.KEEP
    assert planned(entry(P, JUN, label="v1-2"), *own, content="new", listed=listed).label == "v1-2-2"
    later = planned(entry(P), held(P), content="new", listed=listed)
    assert later.label == "v1-3"


@pytest.mark.parametrize(
    ("wanted", "have"),
    [
        (entry(P, PAST, JAN), held(P, PAST, JAN)),
        (entry(P, PAST), held(P, PAST, JAN)),
        (entry(R), held(R, in_force=Window(JAN, JUN))),
        (entry(R), held(P)),
        (entry(P, JAN, TODAY), held(P, JAN, TODAY)),
    ],
)
def test_a_text_of_the_past_keeps_its_words(wanted: RevisionEntry, have: Held) -> None:
    made = planned(wanted, have, held(P, JUN, label="v2"), content="new")
    assert (made.step, made.refusal, made.needs_text) == (Step.KEEP, Refusal.PAST_TEXT, True)


def test_going_back_is_refused_before_a_change_of_text_is_looked_at() -> None:
    assert planned(entry(D), held(P), content="new").refusal is Refusal.BACKWARDS
    assert planned(entry(P), held(R), content="new").refusal is Refusal.BACKWARDS


def test_days_that_count_do_not_move() -> None:
    assert planned(entry(P, JUN), held(P)).refusal is Refusal.START
    assert planned(entry(P, JAN, NEXT), held(P)).refusal is Refusal.END
    assert planned(entry(P, JAN), held(P, JAN, NEXT)).refusal is Refusal.END
    assert planned(entry(P, JAN, LATER), held(P, JAN, NEXT)).refusal is Refusal.END


def test_an_end_that_a_successor_made_is_no_difference() -> None:
    for until in (None, JUN, NEXT):
        wanted = entry(P, JAN, until)
        assert planned(wanted, held(P, JAN, JUN), held(P, JUN, label="v2")).refusal is None
    family = [held(P, JAN, TODAY), held(P, TODAY, label="v1-2", content="new")]
    assert planned(entry(P), *family, content="new").refusal is None


def test_retirement_ends_what_is_open() -> None:
    assert planned(entry(R, JAN, JUN), held(P)) == Plan(Step.KEEP, "v1", Window(JAN, JUN), held(P))


@pytest.mark.parametrize(
    ("label", "base", "expected"),
    [("v3-2", "v3", True), ("v3-12", "v3", True), ("v3", "v3", False), ("v3-a", "v3", False), ("v3-2-2", "v3", False),
     ("2024-05", "2024", True), ("v3-", "v3", False)],
)  # fmt: skip
def test_labels_of_changes(label: str, base: str, expected: bool) -> None:
    assert is_change(label, base) is expected
