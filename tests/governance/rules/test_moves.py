"""Who may do what, from the capacities in which they stand: every combination of them."""

from __future__ import annotations

from itertools import product

import pytest

from documents.rules.lifecycle import Action
from documents.rules.types import Reader, Role
from governance.rules.approvals import counts, is_approver
from governance.rules.moves import Duty, Refusal, Subject, refusal

ME, OTHER = 1, 2
PEOPLE = list(
    product([True, False], [frozenset(), frozenset({"rh"}), frozenset({"ti"})], [None, *Role])
)  # active, areas, role
SUBJECTS = [Subject(owner, author, "rh") for owner in (ME, OTHER, None) for author in (ME, OTHER, None)]


def expected(person: Reader, subject: Subject, action: Action | Duty) -> bool:
    """The same said in the words of the policy, one line for each action."""
    owner, author = subject.owner_id == ME, subject.author_id == ME
    approver = Role.APPROVER in person.roles and "rh" in person.areas
    incidents, indexer = Role.INCIDENTS in person.roles, Role.INDEXER in person.roles
    words = {
        Action.SUBMIT: owner or author,
        Action.APPROVE: approver and not author,
        Action.REJECT: approver and not author,
        Action.PUBLISH: owner or approver,
        Action.RETIRE: owner or approver or incidents,
        Action.RESTORE: owner or approver or incidents,
        Duty.DRAFT: owner or approver or indexer or "rh" in person.areas,
        Duty.MANAGE: owner or approver,
    }
    return person.active and words[action]


@pytest.mark.parametrize("action", [*Action, *Duty])
def test_who_may(action: Action | Duty) -> None:
    for (active, areas, role), subject in product(PEOPLE, SUBJECTS):
        person = Reader("k", ME, active, areas=areas, roles=frozenset({role} if role else ()))
        assert (refusal(person, subject, action) is None) == expected(person, subject, action), (person, subject)


def test_an_approver_is_told_that_the_text_is_their_own() -> None:
    approver = Reader("k", ME, True, areas=frozenset({"rh"}), roles=frozenset({Role.APPROVER}))
    assert refusal(approver, Subject(OTHER, ME, "rh"), Action.APPROVE) is Refusal.OWN_TEXT
    assert refusal(approver, Subject(OTHER, OTHER, "ti"), Action.APPROVE) is Refusal.NOT_IN_CHARGE


def test_the_role_counts_in_the_persons_own_areas() -> None:
    person = Reader("k", ME, True, areas=frozenset({"rh"}), roles=frozenset({Role.APPROVER}))
    assert is_approver(person, "rh")
    assert not is_approver(person, "ti")


@pytest.mark.parametrize(("approved", "content", "expected"), [("a", "a", True), ("a", "b", False), ("", "", False)])
def test_an_approval_counts_for_the_hash_it_saw(approved: str, content: str, expected: bool) -> None:
    assert counts(approved, content) is expected
