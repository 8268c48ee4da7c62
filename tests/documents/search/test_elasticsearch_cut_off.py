"""A node that goes away while it fetches: the searches that it took with it are asked again, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from documents.search.base import EngineUnavailable
from documents.search.elasticsearch.client import Client
from documents.search.elasticsearch.connection import RETRIES, Address

FOUND = {"hits": {"hits": [{"_id": "1"}]}, "_shards": {"total": 1, "failed": 0}, "timed_out": False, "status": 200}


def failed(status: int) -> dict[str, object]:
    return {"error": {"type": "search_phase_execution_exception", "reason": "all shards failed"}, "status": status}


class Node(ThreadingHTTPServer):
    """Answers `_msearch` with what is next in `answers`; `asked` is how many searches each call held."""

    def __init__(self) -> None:
        self.answers: list[list[dict[str, object]]] = []
        self.asked: list[int] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: Node

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(body.count(b"\n") // 2)
        said = json.dumps({"took": 1, "responses": self.server.answers.pop(0)}).encode()
        self.send_response(200)
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Type", "application/vnd.elasticsearch+json;compatible-with=8")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_arguments: object) -> None:
        """Quiet."""


@pytest.fixture
def node() -> Iterator[Node]:
    with Node() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def search(node: Node) -> list[list[dict[str, object]]]:
    client = Client(Address((f"http://127.0.0.1:{node.server_address[1]}",), None, None, 5))
    return client.search([(["one"], {}), (["two"], {}), (["three"], {})], "q1")


@pytest.mark.parametrize("status", [502, 503, 504])
def test_what_was_cut_off_is_asked_again_in_its_place(node: Node, status: int) -> None:
    other = FOUND | {"hits": {"hits": [{"_id": "2"}]}}
    node.answers = [[FOUND, failed(status), FOUND], [failed(status)], [other]]
    assert [[hit["_id"] for hit in hits] for hits in search(node)] == [["1"], ["2"], ["1"]]
    assert node.asked == [3, 1, 1]


def test_what_is_cut_off_again_and_again_is_no_answer(node: Node) -> None:
    node.answers = [[FOUND, FOUND, failed(502)], *([[failed(502)]] * RETRIES)]
    with pytest.raises(EngineUnavailable, match="all shards failed"):
        search(node)
    assert node.answers == []


@pytest.mark.parametrize("status", [400, 404, 429, 500])
def test_a_refusal_is_not_asked_again(node: Node, status: int) -> None:
    node.answers = [[FOUND, failed(status), FOUND]]
    with pytest.raises(EngineUnavailable, match="all shards failed"):
        search(node)
    assert node.asked == [3]
