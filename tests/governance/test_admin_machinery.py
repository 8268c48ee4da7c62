"""The pages of the machinery: who sees them, what they list, and what is decided there about parked work."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from documents.models import Alarm, IndexVersion, Job, Propagation
from governance import audit
from governance.actions.work import discard, retry
from governance.errors import Forbidden, NotFound, ReasonRequired, WrongState
from governance.models import AuditEvent
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def indexer() -> User:
    return factories.person("paula", roles=["indexer"], is_staff=True)


@pytest.fixture
def parked() -> Job:
    return Job.objects.create(
        kind="converge", argument=987654, state="parked", attempts=5, faults=5, error="KeyError: x"
    )


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_parked_work_is_retried_with_a_reason_and_all_of_its_attempts(
    indexer: User, parked: Job, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        retry(parked.pk, actor=indexer, reason="the fault is mended")
    parked.refresh_from_db()
    assert (parked.state, parked.attempts) == ("done", 6), "its revision is gone, so there was nothing to do"
    event = AuditEvent.objects.get()
    assert (event.verb, event.reason, event.before["error"]) == ("job.retried", "the fault is mended", "KeyError: x")
    assert audit.verify().holds


def test_discarded_work_is_not_done_and_its_discard_is_in_the_trail(indexer: User, parked: Job) -> None:
    discard(parked.pk, actor=indexer, reason="of a document that is gone")
    parked.refresh_from_db()
    assert parked.state == "discarded"
    assert AuditEvent.objects.get().verb == "job.discarded"
    with pytest.raises(WrongState):
        retry(parked.pk, actor=indexer, reason="r")


def test_who_may_not_and_what_is_missing(indexer: User, parked: Job) -> None:
    for person in (factories.person(is_superuser=True), factories.person(roles=["auditor"])):
        with pytest.raises(Forbidden):
            discard(parked.pk, actor=person, reason="r")
    with pytest.raises(NotFound):
        retry(0, actor=indexer, reason="r")
    with pytest.raises(ReasonRequired):
        retry(parked.pk, actor=indexer, reason=" ")
    parked.refresh_from_db()
    assert parked.state == "parked"


@pytest.mark.parametrize("action", ["retry", "discard"])
def test_the_admin_asks_for_the_reason(indexer: User, parked: Job, action: str) -> None:
    path, chosen = "/admin/documents/job/", {"action": action, "_selected_action": [parked.pk]}
    page = client_of(indexer).post(path, chosen).content.decode()
    assert "reason" in page
    client_of(indexer).post(path, chosen | {"confirmed": "yes", "reason": "looked at"})
    parked.refresh_from_db()
    assert parked.state == {"retry": "waiting", "discard": "discarded"}[action]


def test_who_only_looks_is_offered_no_decision(parked: Job) -> None:
    auditor = factories.person("lucas", roles=["auditor"], is_staff=True)
    page = client_of(auditor).get("/admin/documents/job/")
    assert page.status_code == 200
    assert 'value="retry"' not in page.content.decode()
    chosen = {"action": "discard", "_selected_action": [parked.pk], "confirmed": "yes", "reason": "r"}
    client_of(auditor).post("/admin/documents/job/", chosen)
    parked.refresh_from_db()
    assert parked.state == "parked"


def test_late_changes_are_a_filter_away(indexer: User) -> None:
    now = timezone.now()
    document = factories.document("manual", title="A title that is nobody's")
    for age, agreed in ((1, None), (1000, None), (1000, 2), (1000, 500)):
        at = now - timedelta(seconds=age)
        Propagation.objects.create(
            action="retire", document=document, risk="high", committed_at=at, due_at=at + timedelta(seconds=60),
            agreed_at=None if agreed is None else at + timedelta(seconds=agreed),
        )  # fmt: skip
    client = client_of(indexer)
    for query, count in (("", 4), ("?late=yes", 2), ("?late=open", 2)):
        page = client.get(f"/admin/documents/propagation/{query}")
        assert page.context["cl"].queryset.count() == count
    assert "500,0\N{NO-BREAK SPACE}s" in client.get("/admin/documents/propagation/").content.decode()
    row = Propagation.objects.filter(agreed_at__isnull=False).last()
    page = client.get(f"/admin/documents/propagation/{row.pk}/change/").content.decode()  # type: ignore[union-attr]
    assert "manual" in page
    assert "A title that is nobody" not in page, "the indexer does not read the document"


@pytest.mark.parametrize("name", ["job", "indexversion", "propagation", "alarm"])
def test_the_pages_are_for_the_indexer_and_the_auditor_and_change_nothing(indexer: User, name: str) -> None:
    Alarm.objects.create(kind="drift", note="missing: 1", count=1)
    IndexVersion.objects.create(engine="postgres", dimensions=8, state="active")
    allowed = {indexer, factories.person(roles=["auditor"], is_staff=True)}
    for person in (*allowed, factories.person(roles=["approver"], is_staff=True)):
        client = client_of(person)
        assert (client.get(f"/admin/documents/{name}/").status_code == 200) == (person in allowed)
        assert client.get(f"/admin/documents/{name}/add/").status_code == 403
