"""The remote embedder against a real HTTP server on loopback that answers with hashed vectors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep

import pytest

from documents.embedders.base import EmbedderUnavailable
from documents.embedders.hashing import Embedder as Hashing
from documents.embedders.openai import Embedder
from tests.documents.embedders.contract import EmbedderContract


class _Server(BaseHTTPRequestHandler):
    seen: list[dict[str, object]] = []
    failures = 0
    garbage = b""
    endless = False

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append({"path": self.path, "key": self.headers["Authorization"], **asked})
        if type(self).failures:
            type(self).failures -= 1
            self.send_error(500)
            return
        rows = Hashing(dimensions=64).passages(asked["input"])
        if type(self).endless:
            self._trickle()
            return
        # Out of order, as the protocol allows: `index` tells which is which.
        data = [{"object": "embedding", "index": n, "embedding": [float(x) for x in row]} for n, row in enumerate(rows)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = json.dumps({"object": "list", "data": data[::-1], "model": asked["model"], "usage": usage}).encode()
        self._send(type(self).garbage or body)

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _trickle(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        with suppress(OSError):  # until the client hangs up
            while True:
                self.wfile.write(b" ")
                sleep(0.01)

    def log_message(self, *args: object) -> None:
        pass


def one(number: str) -> str:
    """An answer whose vector has this at every place."""
    return f'{{"data": [{{"index": 0, "embedding": [{", ".join([number] * 64)}]}}]}}'


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()


@pytest.fixture
def embedder(address: str) -> Embedder:
    _Server.seen.clear()
    _Server.failures, _Server.garbage, _Server.endless = 0, b"", False
    return Embedder("tiny", dimensions=64, base_url=address, api_key="secret", batch=4, retries=2)


class TestOpenAI(EmbedderContract):
    def test_batches_prefixes_and_key_are_sent(self, address: str) -> None:
        _Server.seen.clear()
        remote = Embedder("tiny", 64, base_url=address, api_key="secret", batch=2, passage_prefix="passage: ")
        remote.passages(["a", "b", "c"])
        assert [call["input"] for call in _Server.seen] == [["passage: a", "passage: b"], ["passage: c"]]
        assert {call["key"] for call in _Server.seen} == {"Bearer secret"}

    def test_a_passing_failure_is_retried_and_a_lasting_one_reported(self, embedder: Embedder) -> None:
        _Server.failures = 1
        assert embedder.query("prazo").shape == (64,)
        _Server.failures = 10
        with pytest.raises(EmbedderUnavailable, match="endpoint failed"):
            embedder.query("prazo")
        assert len(_Server.seen) == 2 + 3

    def test_other_dimensions_than_configured_are_an_error(self, embedder: Embedder, address: str) -> None:
        with pytest.raises(EmbedderUnavailable, match="expected"):
            Embedder("tiny", 32, base_url=address, api_key="secret").query("prazo")

    def test_nothing_is_called_before_the_first_text(self) -> None:
        assert Embedder("tiny", 64, base_url="http://127.0.0.1:1/v1", api_key="x").dimensions == 64

    def test_a_closed_port_is_unavailable(self) -> None:
        with pytest.raises(EmbedderUnavailable):
            Embedder("tiny", 64, base_url="http://127.0.0.1:1/v1", api_key="x", retries=0).query("prazo")

    @pytest.mark.parametrize(
        "garbage",
        [
            " ", "<html>", "{", "{}", "null", "[]", "[" * 100_000, '{"data": null}', '{"data": {}}', '{"data": [1]}',
            '{"data": [{"index": 0}]}', '{"data": [{"index": 0, "embedding": null}]}', one("nan"), one('"a"'),
            one("[1]"), one("1e300"), one("NaN"), one("Infinity"),
        ],
    )  # fmt: skip
    def test_garbage_is_an_endpoint_that_is_down(self, embedder: Embedder, garbage: str) -> None:
        _Server.garbage = garbage.encode()
        with pytest.raises(EmbedderUnavailable):
            embedder.query("prazo")

    def test_an_answer_that_never_ends_holds_nobody(self, embedder: Embedder, address: str) -> None:
        _Server.endless = True
        with pytest.raises(EmbedderUnavailable, match="goes on"):
            Embedder("tiny", 64, base_url=address, api_key="secret", timeout=0.5).query("prazo")
