"""The moves of a revision over HTTP: a whole life, and who is refused what."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from documents.models import Revision
from governance.models import AuditEvent
from tests import factories
from tests.api.clients import client_of, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def bruno() -> User:
    return factories.person("bruno", areas=["operacoes"])


@pytest.fixture
def rita() -> User:
    return factories.person("rita", areas=["operacoes"], roles=["approver"])


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.fixture
def draft(bruno: User) -> Revision:
    return factories.revision(factories.document("ops", owner=bruno, readers=["group:todos"]), author=bruno)


def move(user: User, revision: Revision, action: str, **body: Any) -> Any:
    body.setdefault("reason", "porque sim")
    return client_of(user).post(f"/api/revisions/{revision.pk}/{action}", body, "application/json")


def test_a_revision_goes_through_its_whole_life(draft: Revision, bruno: User, rita: User, ana: User) -> None:
    steps: list[tuple[User, str, dict[str, str], str]] = [
        (bruno, "submit", {}, "in_review"),
        (rita, "reject", {}, "draft"),
        (bruno, "submit", {}, "in_review"),
        (rita, "approve", {"seen_hash": draft.content_hash}, "approved"),
        (bruno, "publish", {"from": "2025-01-01"}, "published"),
        (bruno, "retire", {"from": "2026-01-01"}, "retired"),
        (bruno, "restore", {}, "published"),
    ]
    for person, action, body, state in steps:
        response = move(person, draft, action, **body)
        assert response.status_code == 200, response.content
        assert response.json()["state"] == state
        draft.refresh_from_db()
        assert draft.state == state
    assert (response.json()["valid_from"], response.json()["valid_until"]) == ("2025-01-01", None)
    assert response.json()["actions"] == ["retire"]
    assert AuditEvent.objects.count() == len(steps)
    assert client_of(ana).get("/api/documents/ops/").json()["revision"]["id"] == draft.pk


def test_the_address_works_with_and_without_its_last_slash(draft: Revision, bruno: User) -> None:
    response = client_of(bruno).post(f"/api/revisions/{draft.pk}/submit/", {"reason": "ok"}, "application/json")
    assert response.json()["state"] == "in_review"


def test_you_may_not_and_not_in_this_state_are_told_apart(draft: Revision, bruno: User, rita: User) -> None:
    problem(move(bruno, draft, "publish"), 409, "wrong_state")
    move(bruno, draft, "submit")
    problem(move(bruno, draft, "approve"), 403, "forbidden")
    problem(move(rita, draft, "submit"), 409, "wrong_state")


def test_an_author_does_not_approve_their_own_text(rita: User, bruno: User) -> None:
    own = factories.revision(factories.document(owner=bruno), author=rita)
    assert move(rita, own, "submit").status_code == 200
    problem(move(rita, own, "approve"), 403, "forbidden")


def test_an_approval_counts_for_the_text_that_was_read(draft: Revision, bruno: User, rita: User) -> None:
    move(bruno, draft, "submit")
    problem(move(rita, draft, "approve", seen_hash="0" * 64), 409, "approval_outdated")
    problem(move(rita, draft, "reject", seen_hash=draft.content_hash), 422, "hash_not_used")


@pytest.mark.parametrize("roles", [[], ["auditor"], ["indexer"], ["history"]])
def test_a_hidden_revision_is_not_there_to_be_moved(draft: Revision, roles: list[str]) -> None:
    stranger = factories.person(roles=roles)
    hidden = move(stranger, draft, "submit")
    problem(hidden, 404, "not_found")
    missing = client_of(stranger).post("/api/revisions/0/submit", {"reason": "x"}, "application/json")
    assert missing.content == hidden.content
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_who_reads_it_is_told_that_they_may_not(draft: Revision, ana: User, bruno: User) -> None:
    published = factories.revision(draft.document, "v9", state="published", start=date(2025, 1, 1))
    problem(move(ana, published, "retire"), 403, "forbidden")
    admin = factories.person(is_superuser=True)
    problem(move(admin, published, "retire"), 403, "forbidden")
    published.refresh_from_db()
    assert published.state == "published"


def test_the_incident_team_takes_out_what_it_cannot_read(bruno: User) -> None:
    secret = factories.revision(factories.document("secreto", owner=bruno), state="published", start=date(2025, 1, 1))
    otto = factories.person("otto", roles=["incidents"])
    problem(client_of(otto).get(f"/api/revisions/{secret.pk}/"), 404, "not_found")
    response = move(otto, secret, "retire", reason="dado errado")
    assert response.json()["state"] == "retired"
    assert "sections" not in response.json()
    assert "text" not in response.json()


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"reason": "  "}, "reason_required", None),
        ({}, "invalid", "reason"),
        ({"reason": "x", "form": "2025-01-01"}, "invalid", "form"),
        ({"reason": "x", "on": "2025-01-01"}, "invalid", "on"),
        ({"reason": "x", "from": "ontem"}, "invalid", "from"),
        ({"reason": "x", "from": "2025-01-01"}, "date_not_used", None),
        ({"reason": ["x"]}, "invalid", "reason"),
        (["reason"], "invalid", "non_field_errors"),
    ],
)
def test_what_is_sent_is_checked(draft: Revision, bruno: User, body: Any, code: str, field: str | None) -> None:
    response = client_of(bruno).post(f"/api/revisions/{draft.pk}/submit", body, "application/json")
    errors = problem(response, 422, code).get("errors", [])
    assert [error["field"] for error in errors] == ([field] if field else [])
    draft.refresh_from_db()
    assert draft.state == "draft"


def test_there_are_no_other_actions(draft: Revision, bruno: User) -> None:
    problem(move(bruno, draft, "delete"), 404, "not_found")
    problem(client_of(bruno).get(f"/api/revisions/{draft.pk}/submit"), 405, "method_not_allowed")


def test_a_session_moves_with_its_csrf_token_and_not_without(draft: Revision, bruno: User) -> None:
    session = Client(enforce_csrf_checks=True)
    session.force_login(bruno)
    address = f"/api/revisions/{draft.pk}/submit"
    problem(session.post(address, {"reason": "x"}, "application/json"), 403, "csrf_failed")
    session.get("/entrar/")
    session.cookies["csrftoken"] = "a" * 32
    response = session.post(address, {"reason": "x"}, "application/json", headers={"X-CSRFToken": "a" * 32})
    assert response.json()["state"] == "in_review"
