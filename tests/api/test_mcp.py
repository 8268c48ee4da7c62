"""The MCP tool `ask`, spoken to by the protocol's own client: one answer shape, and nobody without a token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from pytest_django.fixtures import Settings

from chat.models import EvidenceRecord
from chat.schemas import Answer
from kbportal.asgi import portal
from kbportal.mcp import Mounted
from tests import factories
from tests.api import corpus
from tests.api.clients import problem, token_of

pytestmark = pytest.mark.django_db(transaction=True)  # the answer is made in a thread with a connection of its own
URL = "http://testserver/mcp"
T = TypeVar("T")


@pytest.fixture
def ana() -> User:
    corpus.build()
    return factories.person("ana", areas=["operacoes"])


def http(authorization: str | None) -> tuple[Any, httpx2.AsyncClient]:
    """A fresh application, whose life its client has to run, and a client that speaks to it."""
    app = Mounted(portal)
    headers = {"Authorization": authorization} if authorization else {}
    return app, httpx2.AsyncClient(transport=httpx2.ASGITransport(app), headers=headers, base_url="http://testserver")


@async_to_sync
async def with_session(token: str, act: Callable[[ClientSession], Awaitable[T]]) -> T:
    app, client = http(f"Bearer {token}")
    async with (
        app._protocol.router.lifespan_context(app._protocol),
        client,
        streamable_http_client(URL, http_client=client) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        return await act(session)


@async_to_sync
async def posted(authorization: str | None, url: str = URL) -> httpx2.Response:
    app, client = http(authorization)
    async with app._protocol.router.lifespan_context(app._protocol), client:
        return await client.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})


def call(user: User, **arguments: object) -> Any:
    return with_session(token_of(user), lambda session: session.call_tool("ask", arguments))


def test_the_tool_is_described_to_a_program(ana: User) -> None:
    (tool,) = with_session(token_of(ana), lambda session: session.list_tools()).tools
    assert tool.name == "ask"
    assert tool.input_schema["required"] == ["question"]
    assert {"question", "on", "conversation"} == set(tool.input_schema["properties"])
    assert tool.output_schema is not None


def test_it_answers_as_the_api_does(ana: User) -> None:
    result = call(ana, question=corpus.QUESTION)
    assert not result.is_error, result
    answer = Answer.model_validate(result.structured_content)
    assert answer.status == "answered"
    assert "quatro horas úteis" in answer.claims[0].citations[0].quote
    assert EvidenceRecord.objects.get(id=answer.evidence).status == "answered"


def test_a_follow_up_continues_the_conversation(ana: User) -> None:
    first = call(ana, question=corpus.QUESTION).structured_content
    again = call(ana, question=corpus.QUESTION, conversation=first["conversation"]).structured_content
    assert again["conversation"] == first["conversation"]


def test_who_may_read_nothing_is_told_nothing(ana: User) -> None:
    result = call(factories.person("outro"), question=corpus.SECRET)
    assert result.structured_content["status"] != "answered"
    assert result.structured_content["claims"] == []


@pytest.mark.parametrize("arguments", [{"question": "  "}, {"question": "x" * 2001}, {"question": "a", "on": "ontem"}])
def test_bad_input_is_an_error_that_says_what_to_do(ana: User, arguments: dict[str, str]) -> None:
    result = call(ana, **arguments)
    assert result.is_error
    assert "Traceback" not in result.content[0].text
    assert len(result.content[0].text) > 10


@pytest.mark.parametrize("authorization", [None, "Bearer", "Bearer nobody", "Basic YTpi", "Token x"])
def test_without_a_token_nothing_of_the_protocol_answers(ana: User, authorization: str | None) -> None:
    problem(posted(authorization), 401, "bad_token")


def test_a_deactivated_person_is_nobody(ana: User) -> None:
    token = token_of(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert posted(f"Bearer {token}").status_code == 401


def test_another_name_for_the_host_is_refused(ana: User) -> None:
    problem(posted(f"Bearer {token_of(ana)}", "http://evil.example/mcp"), 400, "bad_host")


def test_too_many_questions_are_a_tool_error(ana: User, settings: Settings) -> None:
    settings.KB_QUESTIONS_A_MINUTE = 0
    result = call(ana, question=corpus.QUESTION)
    assert result.is_error
    assert "throttled: " in result.content[0].text
    assert not EvidenceRecord.objects.exists()
