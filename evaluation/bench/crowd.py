"""Many people who ask at once, through the web process as it runs in production: its answer times and its errors."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from time import monotonic, perf_counter, sleep
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from rest_framework.authtoken.models import Token

from documents.search import active
from evaluation.bench.database import Place
from evaluation.bench.machine import memory
from evaluation.bench.measures import Times, times

EVERY = 10.0
"""Seconds between two questions of one person."""
ROUNDS = 6
START = 60.0
PATIENCE = 30.0
QUIET_THREADS = {
    "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2",
}  # fmt: skip
"""As the process manager starts it."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """`people` ask every ten seconds, each `ROUNDS` times, out of step with each other.

    `answers` counts from the moment that a question was due, so a queue before the server counts too; `errors` are
    answers that are no 200 and those that did not come. `memory_mb` is that of the web process at the end.
    """

    people: int
    answers: Times
    errors: int
    memory_mb: float


@dataclass(frozen=True, slots=True)
class _Turn:
    due: float
    question: str
    token: str


def measure(people: Sequence[User], questions: Iterator[str], place: Place) -> Crowd:
    tokens = [Token.objects.get_or_create(user=user)[0].key for user in people]
    with _server(place) as (port, pid):
        for token in tokens[: min(8, len(tokens))]:  # what is filled once: the model, the vocabulary, connections
            _asked(port, next(questions), token)
        apart = EVERY / len(tokens)
        turns = [
            _Turn(turn * EVERY + number * apart, question, token)
            for turn in range(ROUNDS)
            for number, (token, question) in enumerate(zip(tokens, islice(questions, len(tokens)), strict=True))
        ]
        began = perf_counter()

        def ask(turn: _Turn) -> float | None:
            sleep(max(0.0, turn.due - (perf_counter() - began)))
            right = _asked(port, turn.question, turn.token)
            return (perf_counter() - began - turn.due) * 1000 if right else None

        with ThreadPoolExecutor(len(tokens)) as pool:
            spent = list(pool.map(ask, turns))
        held = memory({"web": pid}).get("web", 0.0)
    right = [ms for ms in spent if ms is not None]
    return Crowd(len(people), times(right), len(spent) - len(right), held)


def _asked(port: int, question: str, token: str) -> bool:
    body = json.dumps({"question": question}).encode()
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json", "Accept": "application/json"}
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        client.request("POST", "/api/chat/ask", body, headers)
        answer = client.getresponse()
        return answer.status == http.HTTPStatus.OK and json.loads(answer.read())["status"] != "unavailable"
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        client.close()


@contextmanager
def _server(place: Place) -> Iterator[tuple[int, int]]:
    """The portal's web process over the benchmark's database: port and process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "kbportal.asgi:application", "--host", "127.0.0.1"]
    environment = os.environ | QUIET_THREADS | _environment(place)
    with (place.folder / "web.log").open("w") as log:
        process = subprocess.Popen(
            [*command, "--port", str(port), "--log-level", "warning"],
            env=environment, cwd=settings.BASE_DIR, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            _wait(process, port, place)
            yield port, process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE)


def _environment(place: Place) -> dict[str, str]:
    """An instance of its own in the benchmark's folder; the cache is the portal's server, another database of it."""
    held = connection.settings_dict
    given = {name: held[name.upper()] for name in ("host", "port") if held[name.upper()]}
    options = "&".join(f"{name}={quote(str(value), safe='')}" for name, value in given.items())
    who = quote(held["USER"], safe="") + (f":{quote(held['PASSWORD'], safe='')}" if held["PASSWORD"] else "")
    prefix = settings.KB_BACKENDS["engine"].get("OPTIONS", {}).get("prefix")
    return ({"ELASTICSEARCH_PREFIX": str(prefix)} if prefix else {}) | {
        "KB_ENGINE": active.engine().name,
        "KB_VAR": str(place.folder),
        "DATABASE_URL": f"postgresql://{who}@/{place.database}?{options}",
        "CACHE_URL": os.environ.get("CACHE_URL") or f"unix://{settings.INSTANCE.valkey_socket}?db=9",
        "DJANGO_SETTINGS_MODULE": "kbportal.settings.dev",
    }


def _wait(process: subprocess.Popen[bytes], port: int, place: Place) -> None:
    until = monotonic() + START
    while monotonic() < until and process.poll() is None:
        try:
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            client.request("GET", "/health/live")
            if client.getresponse().status == http.HTTPStatus.OK:
                return
        except OSError:
            sleep(0.2)
        finally:
            client.close()
    raise RuntimeError(f"the web process did not start: {(place.folder / 'web.log').read_text()[-2000:]}")
