"""Every kind of error is a problem with a stable code, whichever part of the API says it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from documents.errors import DomainError
from documents.problems import Problem, problem_of
from governance.errors import Forbidden
from tests import factories
from tests.api.clients import client_of, problem, token_of

ANYWHERE = ["/api/documents/", "/api/evidence/", "/api/chat/conversations"]


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ANYWHERE)
def test_who_is_not_known_is_told_to_sign_in(address: str) -> None:
    response = Client().get(address)
    problem(response, 401, "not_authenticated")
    assert response.headers["WWW-Authenticate"] == "Token"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ANYWHERE)
@pytest.mark.parametrize("scheme", ["Token", "Bearer", "bearer"])
def test_a_token_opens_the_api(ana: User, address: str, scheme: str) -> None:
    assert Client().get(address, headers={"Authorization": f"{scheme} {token_of(ana)}"}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("address", ANYWHERE)
@pytest.mark.parametrize("token", ["nothing", "", "a b", "%00", "ç"])
def test_a_wrong_token_does_not_fall_back_on_the_session(ana: User, address: str, token: str) -> None:
    session = Client()
    session.force_login(ana)
    response = session.get(address, headers={"Authorization": f"Token {token}"})
    problem(response, 401, "bad_token")
    assert response.headers["WWW-Authenticate"] == "Token"


@pytest.mark.django_db
@pytest.mark.parametrize("address", ANYWHERE)
def test_a_deactivated_person_is_out_at_once(ana: User, address: str) -> None:
    session = Client()
    session.force_login(ana)
    User.objects.update(is_active=False)
    problem(client_of(ana).get(address), 401, "bad_token")
    problem(session.get(address), 401, "not_authenticated")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/api/nothing", "/api/revisions/abc/", "/api/chat/", "/api/chat/nothing"])
def test_an_address_that_leads_nowhere_is_a_problem_too(ana: User, address: str) -> None:
    problem(client_of(ana).get(address), 404, "not_found")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "address"), [("post", "/api/documents/"), ("put", "/api/chat/ask"), ("get", "/api/chat/ask")]
)
def test_a_wrong_method_names_the_right_ones(ana: User, method: str, address: str) -> None:
    response = getattr(client_of(ana), method)(address)
    problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"]


@pytest.mark.django_db
def test_pages_for_people_keep_their_own_errors() -> None:
    assert Client().get("/nothing/").headers["Content-Type"].startswith("text/html")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/api/chat/ask", "/api/revisions/1/submit"])
def test_a_body_that_is_not_json_is_a_problem(ana: User, address: str) -> None:
    factories.revision(factories.document(owner=ana), pk=1)
    response = client_of(ana).post(address, "{not json", "application/json")
    problem(response, 400, response.json()["code"])


@pytest.mark.django_db
def test_a_body_that_is_too_large_is_told_so(ana: User) -> None:
    """Asked by the pages' own session, whose form token is looked for in the body."""
    session = Client()
    session.force_login(ana)
    for client in (client_of(ana), session):
        response = client.post("/api/chat/ask", {"question": "a" * 3_000_000}, "application/json")
        problem(response, 413, "too_large")


@pytest.mark.django_db
def test_a_fault_says_nothing_of_its_cause(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr("governance.api.readable_documents", fail)
    monkeypatch.setattr("chat.api.Conversation.objects.filter", fail)
    for address in ("/api/documents/", "/api/chat/conversations"):
        response = client_of(ana).get(address)
        problem(response, 500, "server_error")
        assert "secret" not in response.content.decode()


@pytest.fixture
def unreachable(transactional_db: None, ana: User) -> Iterator[str]:
    """A token, and a database that nothing reaches any more."""
    token = token_of(ana)
    connection.close()
    held = dict(connection.settings_dict)
    connection.settings_dict.update(HOST="127.0.0.1", PORT="1", OPTIONS={"connect_timeout": 1})
    yield token
    connection.close()
    connection.settings_dict.update(held)


@pytest.mark.parametrize(
    "address", ["/api/documents/", "/api/revisions/1/", "/api/evidence/", "/api/chat/conversations"]
)
def test_a_database_that_is_down_is_a_problem_and_no_fault(unreachable: str, address: str) -> None:
    problem(Client().get(address, headers={"Authorization": f"Token {unreachable}"}), 503, "database_unavailable")


def test_a_question_without_a_database_gets_no_answer(unreachable: str) -> None:
    response: Any = Client().post(
        "/api/chat/ask",
        {"question": "qual o SLA?"},
        "application/json",
        headers={"Authorization": f"Token {unreachable}"},
    )
    problem(response, 503, "database_unavailable")


@pytest.mark.parametrize(("number", "status"), [(errno.ENOSPC, 507), (errno.EDQUOT, 507), (errno.EACCES, None)])
def test_a_full_disk_is_a_problem_of_its_own(number: int, status: int | None) -> None:
    found = problem_of(OSError(number, "/secret/path"))
    assert (found.status if found else None) == status
    assert found is None or "secret" not in found.detail


def every_refusal(kind: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from every_refusal(inner)


def test_every_refusal_of_the_domain_is_a_problem_with_a_code_of_its_own() -> None:
    kinds = list(every_refusal())
    assert len(kinds) > 15
    for kind in kinds:
        refusal = kind()
        assert problem_of(refusal) == Problem(kind.code, kind.status, str(refusal.message))
        assert kind.code != DomainError.code
        assert 400 <= kind.status < 600
    assert problem_of(Forbidden("why")) == Problem("forbidden", 403, "why")
    assert problem_of(ValueError("a fault")) is None
