"""Two at once: one wins, the other is told. Real threads, real connections, committed rows."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User

from documents.models import Document, Revision
from governance import actions, audit
from governance.actions import access, tasks
from governance.actions.draft import create_revision
from governance.models import AuditEvent, OwnerTask
from tests import factories
from tests.governance.conftest import Together

pytestmark = pytest.mark.django_db(transaction=True)
JAN, JUN = date(2026, 1, 1), date(2026, 6, 1)


@pytest.fixture
def owner() -> User:
    return factories.person("owner", areas=["operacoes"])


@pytest.fixture
def approvers() -> list[User]:
    return [factories.person(areas=["operacoes"], roles=["approver"]) for _number in range(2)]


@pytest.fixture
def document(owner: User) -> Document:
    return factories.document("manual", owner=owner)


def test_two_approvers_decide_once(together: Together, document: Document, approvers: list[User]) -> None:
    revision = factories.revision(document, state="in_review")
    results = together(
        lambda: actions.approve(revision.pk, actor=approvers[0], reason="fine"),
        lambda: actions.approve(revision.pk, actor=approvers[1], reason="fine"),
    )
    assert sorted(results) == ["done", "wrong_state"]
    assert AuditEvent.objects.count() == 1


def test_approve_and_reject_at_once_leave_one_decision(
    together: Together, document: Document, approvers: list[User]
) -> None:
    revision = factories.revision(document, state="in_review")
    approved, rejected = together(
        lambda: actions.approve(revision.pk, actor=approvers[0], reason="fine"),
        lambda: actions.reject(revision.pk, actor=approvers[1], reason="not fine"),
    )
    revision.refresh_from_db()
    # A rejection that comes second takes the approval back, which is its right; the other order is refused.
    assert (approved, rejected, revision.state) in [("done", "done", "draft"), ("wrong_state", "done", "draft")]


def test_two_reviews_are_not_opened_at_once(together: Together, document: Document, owner: User) -> None:
    drafts = [factories.revision(document), factories.revision(document)]
    results = together(*(lambda pk=d.pk: actions.submit(pk, actor=owner, reason="ready") for d in drafts))
    assert sorted(results) == ["done", "review_open"]


def test_two_successors_on_one_day_leave_one_in_force(together: Together, document: Document, owner: User) -> None:
    factories.revision(document, state="published", start=JAN)
    waiting = [factories.revision(document, state="approved", start=JUN) for _number in range(2)]
    results = together(*(lambda pk=r.pk: actions.publish(pk, actor=owner, reason="live") for r in waiting))
    assert sorted(results) == ["done", "overlap"]
    assert Revision.objects.in_force(JUN).count() == 1


def test_retire_and_restore_by_two_people(together: Together, document: Document, owner: User) -> None:
    revision = factories.revision(document, state="published", start=JAN)
    results = together(*(lambda: actions.retire(revision.pk, actor=owner, reason="gone") for _number in range(3)))
    assert sorted(results) == ["done", "wrong_state", "wrong_state"]


def test_one_label_is_drafted_once(together: Together, document: Document, owner: User) -> None:
    content = factories.content()
    results = together(
        *(lambda: create_revision(document.pk, "v1", content, actor=owner, reason="new") for _number in range(3))
    )
    assert sorted(results) == ["conflict", "conflict", "done"]


def test_the_chain_holds_when_many_write_to_it_at_once(together: Together, owner: User) -> None:
    documents = [factories.document(owner=owner) for _number in range(4)]
    acts = [
        lambda pk=document.pk, number=number: access.set_readers(
            pk, [f"area:{factories.area(f'area-{number}').slug}"], actor=owner, reason="more readers"
        )
        for document in documents
        for number in range(2)
    ]
    assert set(together(*acts)) == {"done"}
    report = audit.verify()
    assert (report.holds, report.events) == (True, 8), report


def test_a_conflict_met_by_two_people_is_one_task(together: Together, owner: User) -> None:
    pair = [factories.document(owner=owner), factories.document(owner=owner)]
    results = together(
        *(
            lambda documents=order: tasks.open_task(
                OwnerTask.Kind.CONFLICT, documents, actor=owner, reason="they disagree"
            )
            for order in (pair, pair[::-1])
        )
    )
    assert results == ["done", "done"]
    assert OwnerTask.objects.count() == 1
