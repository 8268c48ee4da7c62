"""Tasks for owners: opened once, seen by those whom they concern, closed with a reason."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from documents.errors import DomainError
from documents.models import Document
from documents.reader import reader_of
from governance.actions.tasks import close_task, open_task
from governance.models import OwnerTask
from governance.permissions import tasks_of
from tests import factories

pytestmark = pytest.mark.django_db
CONFLICT, QUESTION = OwnerTask.Kind.CONFLICT, OwnerTask.Kind.QUESTION


@pytest.fixture
def asker() -> User:
    return factories.person("asker")


@pytest.fixture
def pair() -> list[Document]:
    return [factories.document(owner=factories.person(name), area_slug=name) for name in ("rh", "ti")]


def test_a_pair_has_one_open_task_in_whatever_order(asker: User, pair: list[Document]) -> None:
    first = open_task(CONFLICT, pair, actor=asker, reason="they disagree", evidence="e-1")
    again = open_task(CONFLICT, pair[::-1], actor=asker, reason="they disagree", evidence="e-2")
    assert (again.pk, again.evidence) == (first.pk, "e-1")
    close_task(first.pk, actor=User.objects.get(username="rh"), reason="settled")
    assert open_task(CONFLICT, pair, actor=asker, reason="again").pk != first.pk


def test_questions_are_counted_one_by_one(asker: User, pair: list[Document]) -> None:
    ids = {open_task(QUESTION, documents, actor=asker, reason="asked").pk for documents in ([], [], pair[:1], pair[:1])}
    assert len(ids) == 4


def test_a_conflict_is_between_two(asker: User, pair: list[Document]) -> None:
    for documents in ([], pair[:1], [*pair, factories.document()]):
        with pytest.raises(DomainError) as caught:
            open_task(CONFLICT, documents, actor=asker, reason="r")
        assert caught.value.code == "invalid"


def test_both_owners_and_their_approvers_see_it_and_strangers_do_not(asker: User, pair: list[Document]) -> None:
    task = open_task(CONFLICT, pair, actor=asker, reason="they disagree")
    concerned = [
        *User.objects.filter(username__in=["rh", "ti"]),
        factories.person(areas=["rh"], roles=["approver"]),
        factories.person(areas=["ti"], roles=["approver"]),
        factories.person(roles=["auditor"]),
    ]
    others = [asker, factories.person(areas=["rh"]), factories.person(areas=["financeiro"], roles=["approver"])]
    assert all(list(tasks_of(reader_of(person))) == [task] for person in concerned)
    assert not any(tasks_of(reader_of(person)) for person in others)
    with pytest.raises(DomainError) as caught:
        close_task(task.pk, actor=asker, reason="none of mine")
    assert caught.value.code == "not_found"


def test_a_task_is_done_once(asker: User, pair: list[Document]) -> None:
    task = open_task(CONFLICT, pair, actor=asker, reason="they disagree")
    owner = User.objects.get(username="ti")
    done = close_task(task.pk, actor=owner, reason="settled")
    assert (done.state, done.done_at is not None) == ("done", True)
    with pytest.raises(DomainError) as caught:
        close_task(task.pk, actor=owner, reason="settled")
    assert caught.value.code == "wrong_state"
