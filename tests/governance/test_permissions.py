"""The lists of `governance.permissions` are `governance.rules.moves` in SQL: both over every combination."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest
from django.contrib.auth.models import User

from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.lifecycle import Action, allowed_actions
from documents.rules.types import Reader, Role, State
from governance.permissions import (
    actions_open_to,
    approvable_revisions,
    draftable_documents,
    known_documents,
    known_revisions,
    managed_documents,
    may,
    may_add_documents,
    may_ever,
    readable_documents,
    readable_revisions,
    subject_of,
)
from governance.rules.moves import Duty, refusal
from tests import factories

pytestmark = pytest.mark.django_db
TODAY = date(2026, 11, 30)
RH_APPROVER = 16


@pytest.fixture
def people() -> list[User]:
    made = [  # the order matters to those that take one by number
        factories.person(areas=areas, roles=[role] if role else [], is_active=active)
        for areas, role, active in product([(), ("rh",), ("rh", "ti")], [None, *Role], [True, False])
    ]
    return [*made, factories.person("superuser", is_superuser=True)]


@pytest.fixture
def documents(people: list[User]) -> list[Document]:
    """Owned by one of the people or by nobody, in either area, with a text in every state, some of theirs."""
    rows = []
    for area, owner in product(("rh", "ti"), [None, people[0], people[3], people[7], people[-1]]):
        row = factories.document(owner=owner, area_slug=area)
        for author, state in zip([None, people[RH_APPROVER], people[2], people[8], people[-1]], State, strict=True):
            retired_on = TODAY if state is State.RETIRED else None
            start = {State.PUBLISHED: date(2026, 1, 1), State.RETIRED: date(2025, 1, 1)}.get(state)
            until = date(2026, 1, 1) if state is State.RETIRED else None
            approver = people[4] if author != people[4] else people[5]
            factories.revision(
                row, state=state, author=author, start=start, until=until, retired_on=retired_on, approver=approver
            )
        rows.append(row)
    return rows


def persons(people: list[User]) -> list[tuple[User, Reader]]:
    return [(user, reader_of(user)) for user in people]


def test_lists_of_documents_are_the_rule(people: list[User], documents: list[Document]) -> None:
    for _user, person in persons(people):
        assert set(managed_documents(person)) == {d for d in documents if may(person, d, Duty.MANAGE)}, person
        assert set(draftable_documents(person)) == {d for d in documents if may(person, d, Duty.DRAFT)}, person


def test_what_waits_for_a_decision_is_what_one_may_approve(people: list[User], documents: list[Document]) -> None:
    author = reader_of(people[RH_APPROVER])
    assert (author.areas, author.roles, author.active) == ({"rh"}, {Role.APPROVER}, True), "an approver who wrote"
    revisions = Revision.objects.filter(state="in_review").select_related("document__area")
    for _user, person in persons(people):
        expected = {
            r for r in revisions if refusal(person, subject_of(r.document, r), Action.APPROVE) is None
        }  # fmt: skip
        assert set(approvable_revisions(person)) == expected, person


def test_actions_offered_are_those_that_fit_and_that_one_may_take(
    people: list[User], documents: list[Document]
) -> None:
    for (_user, person), revision in product(persons(people), documents[0].revisions.select_related("document__area")):
        offered = actions_open_to(person, revision)
        subject = subject_of(revision.document, revision)
        fitting = allowed_actions(State(revision.state))
        assert offered == tuple(a for a in fitting if refusal(person, subject, a) is None)
        assert all(may_ever(person, action) for action in offered)


def test_text_is_for_those_in_charge_its_author_and_whom_it_may_be_quoted_to(
    people: list[User], documents: list[Document]
) -> None:
    for _user, person in persons(people):
        quoted = set(Revision.objects.eligible_for(person, TODAY, TODAY))
        expected = {
            r
            for r in Revision.objects.select_related("document__area")
            if person.active and (r in quoted or may(person, r.document, Duty.MANAGE) or r.author_id == person.user_id)
        }
        assert set(readable_revisions(person, TODAY)) == expected, person
        assert set(readable_documents(person)) >= {r.document for r in expected}, person


def test_auditors_incidents_and_superusers_know_of_everything_and_the_deactivated_of_nothing(
    people: list[User], documents: list[Document]
) -> None:
    for user, person in persons(people):
        if user.is_active and (user.is_superuser or {Role.AUDITOR, Role.INCIDENTS} & person.roles):
            assert known_documents(user).count() == len(documents)
            assert known_revisions(user).count() == Revision.objects.count()
        else:
            assert set(known_documents(user)) == set(readable_documents(person))
            assert set(known_revisions(user)) == set(readable_revisions(person))
        if not user.is_active:
            assert not known_documents(user).exists()


def test_a_superuser_reads_and_moves_nothing_for_being_one(documents: list[Document]) -> None:
    other = factories.person(is_superuser=True)
    person = reader_of(other)
    assert not readable_revisions(person).exists()
    assert not managed_documents(person).exists()
    assert not any(actions_open_to(person, r) for r in Revision.objects.select_related("document__area"))


def test_who_opens_documents_at_all() -> None:
    assert may_add_documents(reader_of(factories.person(areas=["rh"])))
    assert may_add_documents(reader_of(factories.person(roles=["indexer"])))
    assert not may_add_documents(reader_of(factories.person()))
    assert not may_add_documents(reader_of(factories.person(areas=["rh"], is_active=False)))
