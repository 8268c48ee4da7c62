"""Asking over HTTP, answered whole: who asks, what may be sent, and what comes back."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.models import Conversation, EvidenceRecord
from chat.schemas import Answer
from documents.models import Document, IndexVersion, Revision
from governance.actions import access
from tests import factories
from tests.api import corpus
from tests.api.clients import client_of, problem

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def indexed() -> None:
    corpus.build()


@pytest.fixture
def ana() -> User:
    return factories.person("ana", areas=["operacoes"])


def ask(user: User, question: str = corpus.QUESTION, query: str = "", /, **more: Any) -> Any:
    return client_of(user).post(f"/api/chat/ask{query}", {"question": question, **more}, "application/json")


def answer(user: User, question: str = corpus.QUESTION, query: str = "", /, **more: Any) -> dict[str, Any]:
    """The body of an answer, which must be what the description of the API promises."""
    response = ask(user, question, query, **more)
    assert response.status_code == 200, response.content
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    Answer.model_validate_json(response.content)
    body: dict[str, Any] = response.json()
    assert EvidenceRecord.objects.get(id=body["evidence"]).status == body["status"]
    return body


def test_an_answer_quotes_the_text_and_leads_to_it(ana: User) -> None:
    body = answer(ana)
    assert body["status"] == "answered", body
    citation = body["claims"][0]["citations"][0]
    revision = Revision.objects.get(pk=citation["revision_id"])
    assert (citation["document"], citation["revision"], citation["authority"]) == ("ops-cd-sp", "v3", "official")
    assert revision.text[citation["start"] : citation["end"]] == citation["quote"]
    assert "quatro horas úteis" in citation["quote"]
    opened = client_of(ana).get(f"/api/revisions/{citation['revision_id']}/").json()
    assert citation["anchor"] in [section["anchor"] for section in opened["sections"]]
    assert client_of(ana).get(f"/api/evidence/{body['evidence']}/").json()["status"] == "answered"


def test_what_the_caller_may_not_read_does_not_answer(ana: User) -> None:
    refused = ask(ana, corpus.SECRET)
    assert refused.json()["status"] != "answered"
    assert "doze por cento" not in refused.content.decode()
    assert "folha" not in {item["document"] for item in refused.json()["related"]}
    admin = factories.person("root", is_superuser=True, is_staff=True)
    assert "doze por cento" not in ask(admin, corpus.SECRET).content.decode()
    own = answer(corpus.person("maria"), corpus.SECRET)
    assert own["status"] == "answered", own
    assert own["claims"][0]["citations"][0]["document"] == "folha"


@pytest.mark.parametrize("key", ["user", "as", "reader", "groups", "roles", "history", "area", "trace", "onn"])
def test_nothing_in_the_body_can_widen_the_reader(ana: User, key: str) -> None:
    body = problem(ask(ana, **{key: "maria"}), 422, "invalid")
    assert [error["field"] for error in body["errors"]] == [f"body.{key}"]
    assert not EvidenceRecord.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body.question"),
        ({"question": None}, "body.question"),
        ({"question": 7}, "body.question"),
        ({"question": "a", "on": "30/11/2026"}, "body.on"),
        ({"question": "a", "on": "2026-02-30"}, "body.on"),
        ({"question": "a", "on": 0}, "body.on"),
        ({"question": "a", "on": "2026-11-30T10:00:00"}, "body.on"),
        ({"question": "a", "conversation": 7}, "body.conversation"),
    ],
)
def test_what_is_sent_is_checked(ana: User, body: dict[str, Any], field: str) -> None:
    response = client_of(ana).post("/api/chat/ask", body, "application/json")
    assert [error["field"] for error in problem(response, 422, "invalid")["errors"]] == [field]


@pytest.mark.parametrize("question", ["", "  \n\t", "\u0000\u0007", "a" * 2001])
def test_a_question_that_is_none_is_refused(ana: User, question: str) -> None:
    problem(ask(ana, question), 422, "bad_question")
    assert not EvidenceRecord.objects.exists()


def test_the_day_asked_about_is_the_day_answered_for(ana: User) -> None:
    body = answer(ana, on="2024-06-01")
    assert (body["on"], body["temporal"]) == ("2024-06-01", "past")
    assert body["status"] != "answered"


def test_every_status_is_an_answer(ana: User) -> None:
    assert answer(ana, "quais eram as regras quando entrei na empresa?")["status"] in {"needs_date", "not_found"}
    nothing = answer(factories.person("nobody", is_active=True), "xyzzy plugh?")
    assert nothing["status"] == "not_found"
    IndexVersion.objects.update(state=IndexVersion.State.DROPPED)
    assert answer(ana)["status"] == "unavailable"


def test_a_conversation_goes_on_and_is_the_callers_alone(ana: User) -> None:
    first = answer(ana)
    second = answer(ana, "e depois das 14h?", conversation=first["conversation"])
    assert second["conversation"] == first["conversation"]
    stranger = factories.person()
    others = ask(stranger, conversation=first["conversation"])
    problem(others, 404, "not_found")
    assert ask(stranger, conversation=str(uuid.uuid4())).content == others.content
    problem(ask(ana, conversation="nonsense"), 404, "not_found")
    assert EvidenceRecord.objects.count() == 2


def test_the_trace_is_for_auditors(ana: User) -> None:
    problem(ask(ana, corpus.QUESTION, "?trace=1"), 403, "forbidden")
    assert not EvidenceRecord.objects.exists()
    auditor = factories.person(roles=["auditor"])
    traced = answer(auditor, corpus.QUESTION, "?trace=1")["trace"]
    assert traced["stages"]
    assert traced["index_version"]
    assert "trace" not in answer(auditor)


def test_no_record_no_answer(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr("chat.recorder._append", fail)
    response = ask(ana)
    problem(response, 503, "record_failed")
    assert "quatro horas" not in response.content.decode()
    assert not Conversation.objects.exists()


def test_a_session_asks_with_its_csrf_token_and_not_without(ana: User) -> None:
    session = Client(enforce_csrf_checks=True)
    session.force_login(ana)
    body = {"question": corpus.QUESTION}
    problem(session.post("/api/chat/ask", body, "application/json"), 403, "csrf_failed")
    session.cookies["csrftoken"] = "a" * 32
    response = session.post("/api/chat/ask", body, "application/json", headers={"X-CSRFToken": "a" * 32})
    assert response.json()["status"] == "answered"
    problem(session.delete(f"/api/chat/conversations/{uuid.uuid4()}"), 403, "csrf_failed")


def test_a_form_does_not_ask(ana: User) -> None:
    problem(client_of(ana).post("/api/chat/ask", {"question": corpus.QUESTION}), 400, "bad_request")
    session = Client()
    session.force_login(ana)
    problem(session.post("/api/chat/ask", {"question": corpus.QUESTION}), 400, "bad_request")


@pytest.mark.usefixtures("one_minute")
def test_too_many_questions_in_a_minute_are_told_to_wait(ana: User, settings: Any) -> None:
    settings.KB_QUESTIONS_A_MINUTE = 2
    statuses = {ask(ana).status_code for _number in range(2)}
    assert statuses == {200}
    response = ask(ana)
    problem(response, 429, "throttled")
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert ask(factories.person()).status_code == 200


def test_a_conversation_no_longer_tells_what_its_person_may_no_longer_read(ana: User) -> None:
    held = answer(ana)
    address = f"/api/chat/conversations/{held['conversation']}"
    told = [message["text"] for message in client_of(ana).get(address).json()["messages"]]
    assert told == [corpus.QUESTION, "\n".join(claim["text"] for claim in held["claims"])]
    cited = {one["document"] for claim in held["claims"] for one in claim["citations"]}
    for document in Document.objects.filter(code__in=cited):
        access.set_readers(document.pk, [], actor=document.owner, reason="restrita")
    assert [message["text"] for message in client_of(ana).get(address).json()["messages"]] == [corpus.QUESTION, ""]


def test_own_conversations_are_listed_opened_and_forgotten(ana: User) -> None:
    first, second = answer(ana), answer(ana, "e no sábado?")
    answer(factories.person())
    client = client_of(ana)
    page = client.get("/api/chat/conversations?page_size=1").json()
    assert (page["count"], page["previous"]) == (2, None)
    assert [row["id"] for row in page["results"]] == [second["conversation"]]
    rest = client.get(page["next"]).json()
    assert [row["id"] for row in rest["results"]] == [first["conversation"]]
    assert rest["next"] is None
    address = f"/api/chat/conversations/{first['conversation']}"
    messages = client.get(address).json()["messages"]
    assert [(message["role"], message["evidence"]) for message in messages] == [
        ("user", None), ("assistant", first["evidence"]),
    ]  # fmt: skip
    assert messages[0]["text"] == corpus.QUESTION
    assert client.delete(address).status_code == 204
    problem(client.get(address), 404, "not_found")
    assert EvidenceRecord.objects.filter(id=first["evidence"]).exists()
    for query in ("page=9", "page=0", "page_size=0", "page_size=1000", "page=x"):
        assert client.get(f"/api/chat/conversations?{query}").status_code in {404, 422}


def test_somebody_elses_conversation_is_not_there(ana: User) -> None:
    address = f"/api/chat/conversations/{answer(ana)['conversation']}"
    client = client_of(factories.person(roles=["auditor"], is_superuser=True))
    hidden = client.get(address)
    problem(hidden, 404, "not_found")
    assert client.get(f"/api/chat/conversations/{uuid.uuid4()}").content == hidden.content
    problem(client.delete(address), 404, "not_found")
    assert Conversation.objects.count() == 1


def test_the_list_of_conversations_costs_the_same_however_long_it_is(
    ana: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Conversation.objects.bulk_create(Conversation(user=ana, title=str(number)) for number in range(30))
    client = client_of(ana)
    with django_assert_max_num_queries(3):
        assert len(client.get("/api/chat/conversations").json()["results"]) == 30
