"""The answer as a stream: in which order things are said, that they are said at once, and how a failure ends it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from threading import Event as Gate
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth.models import User
from django.core.asgi import get_asgi_application
from django.db import DatabaseError, connections
from django.test import AsyncClient

from chat import sse
from chat.generators.extractive import Generator
from chat.models import EvidenceRecord
from chat.rules.types import Generation, Passage
from tests import factories
from tests.api import corpus
from tests.api.clients import problem, token_of


def parsed(stream: bytes) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream, by the letter of the standard: fields by line, an empty line ends an event."""
    events = []
    for block in stream.decode().split("\n\n"):
        if block:
            (event, name), (data, value) = (line.split(": ", 1) for line in block.split("\n"))
            assert (event, data) == ("event", "data")
            events.append((name, json.loads(value)))
    return events


@async_to_sync
async def stream(token: str, question: str = corpus.QUESTION, **more: Any) -> Any:
    """The response, and its body where it is a stream."""
    client = AsyncClient(raise_request_exception=False)
    headers = {"Authorization": f"Token {token}", "Accept": sse.MEDIA_TYPE}
    body = {"question": question, **more}
    response = await client.post("/api/chat/ask", body, "application/json", headers=headers)
    if response.streaming:
        response.body = b"".join([part async for part in response.streaming_content])
    return response


@pytest.fixture
def ana(db: None) -> User:
    corpus.build()
    return factories.person("ana")


def test_steps_then_claims_then_the_whole_answer(ana: User) -> None:
    response = stream(token_of(ana))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    events = parsed(response.body)
    names = [name for name, _data in events]
    assert names == sorted(names, key=["status", "claim", "done"].index)
    assert [data["step"] for name, data in events if name == "status"] == ["searching", "reading", "verifying"]
    done = events[-1][1]
    assert done["status"] == "answered"
    assert [data for name, data in events if name == "claim"] == done["claims"]
    assert EvidenceRecord.objects.get().status == "answered"
    assert str(EvidenceRecord.objects.get().id) == done["evidence"]


def test_a_refusal_is_streamed_as_an_answer(ana: User) -> None:
    events = parsed(stream(token_of(ana), corpus.SECRET).body)
    assert events[-1][0] == "done"
    assert events[-1][1]["status"] != "answered"
    assert "claim" not in {name for name, _data in events}


def test_what_is_refused_outright_has_a_status_of_its_own(ana: User) -> None:
    token = token_of(ana)
    problem(stream("nobody"), 401, "bad_token")
    problem(stream(token, " "), 422, "bad_question")
    problem(stream(token, reader="maria"), 422, "invalid")
    problem(stream(token, conversation="nonsense"), 404, "not_found")


@pytest.mark.parametrize(
    ("cause", "code", "status"),
    [(DatabaseError("disk full"), "record_failed", 503), (RuntimeError("a secret cause"), "server_error", 500)],
)
def test_a_failure_on_the_way_ends_the_stream_with_a_problem_and_no_claim(
    ana: User, monkeypatch: pytest.MonkeyPatch, cause: Exception, code: str, status: int
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise cause

    monkeypatch.setattr("chat.recorder._append", fail)
    response = stream(token_of(ana))
    name, data = parsed(response.body)[-1]
    assert name == "error"
    assert (data["code"], data["status"]) == (code, status)
    assert {"type", "title", "detail"} <= set(data)
    assert "claim" not in {name for name, _data in parsed(response.body)}
    assert "quatro horas" not in response.body.decode()
    assert "secret" not in response.body.decode()


@pytest.mark.parametrize(
    ("accept", "streamed"),
    [
        ("text/event-stream", True),
        ("text/event-stream, */*;q=0.1", True),
        ("application/json", False),
        ("application/json, text/event-stream;q=0.5", False),
        ("*/*", False),
        ("text/html", False),
    ],
)
def test_the_accept_header_decides(ana: User, accept: str, streamed: bool) -> None:
    headers = {"Authorization": f"Token {token_of(ana)}", "Accept": accept}

    @async_to_sync
    async def kind() -> str:
        body = {"question": corpus.QUESTION}
        response = await AsyncClient().post("/api/chat/ask", body, "application/json", headers=headers)
        if response.streaming:
            assert [part async for part in response.streaming_content]
        return str(response.headers["Content-Type"])

    assert kind() == ("text/event-stream" if streamed else "application/json")


class Held:
    """The extractive generator behind a gate: as slow as a model, for as long as a test wants."""

    name = "held"  # one of its own, or the cache would answer in its place
    version = "1"
    gate = Gate()

    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        assert self.gate.wait(20)
        return Generator().generate(question, passages)


@pytest.fixture
def asked(transactional_db: None, settings: Any) -> Iterator[ApplicationCommunicator]:
    """A question put to the ASGI application itself, with a generator that waits at its gate."""
    corpus.build()
    token = token_of(factories.person("ana"))
    settings.KB_BACKENDS = settings.KB_BACKENDS | {"generator": {"BACKEND": f"{__name__}.Held", "OPTIONS": {}}}
    body = json.dumps({"question": corpus.QUESTION}).encode()
    headers = {
        "host": "testserver", "content-type": "application/json", "content-length": str(len(body)),
        "accept": sse.MEDIA_TYPE, "authorization": f"Bearer {token}",
    }  # fmt: skip
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": "/api/chat/ask", "raw_path": b"/api/chat/ask", "query_string": b"", "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1), "server": ("testserver", 80),
    }  # fmt: skip
    Held.gate.clear()
    communicator = ApplicationCommunicator(get_asgi_application(), scope)
    communicator.first = {"type": "http.request", "body": body, "more_body": False}
    yield communicator
    Held.gate.set()
    connections.close_all()


async def heard(communicator: ApplicationCommunicator) -> list[tuple[str, dict[str, Any]]]:
    """The events of the next part that the server sends; the last part is empty."""
    output = await communicator.receive_output(20)
    assert output["type"] == "http.response.body"
    return parsed(output.get("body", b""))


def test_a_step_is_told_while_the_next_one_is_still_at_work(asked: ApplicationCommunicator) -> None:
    @async_to_sync
    async def listen() -> None:
        await asked.send_input(asked.first)
        start = await asked.receive_output(20)
        assert start["status"] == 200
        assert [await heard(asked), await heard(asked)] == [
            [("status", {"step": "searching", "n": 1})],
            [("status", {"step": "reading", "n": 1})],
        ]
        assert await asked.receive_nothing(0.3)
        Held.gate.set()
        rest = []
        while part := await heard(asked):
            rest += part
        names = [name for name, _data in rest]
        assert (names[:2], names[-1]) == (["status", "claim"], "done")
        await asked.wait(20)

    listen()
    assert EvidenceRecord.objects.get().status == "answered"


def test_who_hangs_up_gets_no_answer_and_leaves_no_record(asked: ApplicationCommunicator) -> None:
    @async_to_sync
    async def leave() -> None:
        await asked.send_input(asked.first)
        await asked.receive_output(20)
        await heard(asked)
        await heard(asked)
        assert await asked.receive_nothing(0.3)
        await asked.send_input({"type": "http.disconnect"})
        Held.gate.set()
        await asked.wait(20)

    leave()
    assert not EvidenceRecord.objects.exists()


@pytest.mark.parametrize(
    "text", ["a\nb", "a\r\nb", "a\u2028b\u0085", 'aspas " e \\', "ção €", "data: x\n\nevent: done"]
)
def test_any_text_travels_as_one_line(text: str) -> None:
    written = sse.message("claim", {"text": text})
    assert written.count(b"\n") == 3
    assert b"\r" not in written
    assert parsed(written) == [("claim", {"text": text})]
