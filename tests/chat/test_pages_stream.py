"""The page's own stream: words while it works, then the very HTML that a reload shows."""

from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import AsyncClient, Client

from chat import sse
from chat.models import EvidenceRecord
from tests import factories
from tests.api.test_stream import parsed
from tests.chat.browsing import page_of
from tests.chat.portal import PICKING, PICKING_Q, published

pytestmark = pytest.mark.django_db
TOKEN_FIELD = re.compile(r'name="(?:csrfmiddlewaretoken|token)" value="[^"]+"')


@pytest.fixture
def ana() -> User:
    published("ops-cd-sp", PICKING)
    return factories.person("ana")


def stream(user: User, question: str = PICKING_Q, **more: str) -> Any:
    """The response, and its body where it is a stream."""
    client = AsyncClient(raise_request_exception=False)
    client.force_login(user)

    @async_to_sync
    async def post() -> Any:
        response = await client.post("/", {"question": question, **more}, headers={"Accept": sse.MEDIA_TYPE})
        if response.streaming:
            response.body = b"".join([part async for part in response.streaming_content])
        return response

    return post()


def test_words_then_claims_then_the_whole_answer(ana: User) -> None:
    response = stream(ana)
    assert response.headers["Content-Type"] == sse.MEDIA_TYPE
    events = parsed(response.body)
    assert [data["text"] for name, data in events if name == "status"] == [
        "consultando a base…",
        "lendo 1 trecho…",
        "conferindo citações…",
    ]
    claims = [data["html"] for name, data in events if name == "claim"]
    assert claims
    for words in ("quatro horas úteis", "versão v1", "seção 4. Prazos", "vigente desde 01/01/2025", "oficial"):
        assert words in claims[0]
    name, done = events[-1]
    assert name == "done"
    assert done["text"].startswith(f"A resposta chegou, com {len(claims)} cita")


def test_the_stream_ends_in_the_html_of_a_reload(ana: User, client: Client) -> None:
    done = parsed(stream(ana).body)[-1][1]
    client.force_login(ana)
    page = client.get(done["url"]).content.decode()
    for part in ("html", "head", "listed"):
        assert TOKEN_FIELD.sub("", done[part]).strip() in TOKEN_FIELD.sub("", page)
    assert uuid.UUID(done["token"])


def test_a_retry_of_a_stream_brings_the_same_answer(ana: User) -> None:
    token = str(uuid.uuid4())
    first, second = (parsed(stream(ana, token=token).body)[-1][1] for _attempt in range(2))
    assert first["url"] == second["url"]
    assert EvidenceRecord.objects.count() == 1


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"question": " "}, 422, "bad_question"),
        ({"question": "a" * 2001}, 422, "bad_question"),
        ({"conversation": str(uuid.uuid4())}, 404, "not_found"),
        ({"on": "anteontem"}, 422, "invalid"),
    ],
)
def test_a_refusal_is_a_problem_in_words(ana: User, form: dict[str, str], status: int, code: str) -> None:
    response = stream(ana, **form)
    assert response.status_code == status
    assert response.json()["code"] == code
    assert response.json()["detail"]


def test_nothing_is_shown_that_was_not_recorded(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise DatabaseError("disk full")

    monkeypatch.setattr("chat.recorder._append", fail)
    events = parsed(stream(ana).body)
    assert events[-1][0] == "error"
    assert {name for name, _data in events} == {"status", "error"}
    assert "quatro horas" not in str(events)


def test_who_is_not_signed_in_is_sent_to_the_door() -> None:
    response = Client().post("/", {"question": PICKING_Q}, headers={"Accept": sse.MEDIA_TYPE})
    assert response.headers["location"].startswith("/entrar/")


@pytest.mark.usefixtures("one_minute")
def test_too_many_questions_are_told_to_wait(ana: User, settings: Any) -> None:
    settings.KB_QUESTIONS_A_MINUTE = 1
    assert stream(ana).status_code == 200
    assert stream(ana).json()["code"] == "throttled"


def test_a_browser_that_takes_anything_gets_a_page(ana: User, client: Client) -> None:
    client.force_login(ana)
    response = client.post("/", {"question": PICKING_Q}, headers={"Accept": "*/*"}, follow=True)
    assert "quatro horas úteis" in page_of(response)
