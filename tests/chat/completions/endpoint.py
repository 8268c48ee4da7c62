"""A real HTTP endpoint on loopback that answers chat completions as a test tells it to."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. `trickle` sends the body byte by byte with this pause in seconds; `drop` hangs up half-way."""

    body: str | bytes = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    trickle: float = 0.0
    drop: bool = False


def completion(content: str | None, **changes: Any) -> str:
    """A chat completion with this content; `finish_reason`, `refusal` and `usage` may be changed."""
    usage = {
        "prompt_tokens": 1200,
        "completion_tokens": 80,
        "total_tokens": 1280,
        "prompt_tokens_details": {"cached_tokens": 1024},
    }
    message = {"role": "assistant", "content": content, "refusal": changes.get("refusal")}
    choice = {"index": 0, "message": message, "finish_reason": changes.get("finish_reason", "stop")}
    return json.dumps(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": changes.get("choices", [choice]),
            "usage": changes.get("usage", usage),
        }
    )


class Endpoint:
    """`url` is the base of the API; `asked` holds the bodies received, `keys` the authorisation headers."""

    def __init__(self, answers: list[Answer]) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.times: list[float] = []
        self._answers = answers
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = endpoint.receive(body, self.headers.get("Authorization"), self.path)
                # The client gives up where the test means it to.
                with suppress(BrokenPipeError, ConnectionResetError):
                    send(self, answer)

            def log_message(self, *_arguments: object) -> None:
                """Quiet: the tests look at what was asked."""

        return Handler

    def receive(self, body: dict[str, Any], key: str | None, path: str) -> Answer:
        assert path == "/v1/chat/completions"
        self.asked.append(body)
        self.keys.append(key)
        self.times.append(time.monotonic())
        return self._answers[min(len(self.asked), len(self._answers)) - 1]

    def __enter__(self) -> Endpoint:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    time.sleep(answer.delay)
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    handler.send_response(answer.status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    for name, value in answer.headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    if answer.drop:
        handler.wfile.write(body[: len(body) // 2])
        handler.close_connection = True
        return
    if not answer.trickle:
        handler.wfile.write(body)
        return
    for at in range(len(body)):
        handler.wfile.write(body[at : at + 1])
        handler.wfile.flush()
        time.sleep(answer.trickle)


@contextmanager
def serving(*answers: Answer | str) -> Iterator[Endpoint]:
    """An endpoint that gives these answers in turn, the last one for ever. A string is a completion's content."""
    made = [Answer(completion(answer)) if isinstance(answer, str) else answer for answer in answers]
    with Endpoint(made) as endpoint:
        yield endpoint
