"""Questions all the time, each answer held against what was in force while it was made."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.faults.corpus import Item

TIMEOUT = 30
DOWN = frozenset({500, 502, 503, 504, 507})
Key = tuple[str, str]
"""Code and label of a revision."""


@dataclass
class Truth:
    """When each text certainly could not be quoted, on this machine's clock.

    A move is known by the moments before it was asked for and after it was confirmed: in between both answers are
    right. Texts that no move touched must be answered at any moment.
    """

    born: dict[Key, float] = field(default_factory=dict)
    gone: dict[Key, float] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)

    def forbids(self, key: Key, began: float, ended: float) -> bool:
        return ended < self.born.get(key, 0.0) or began > self.gone.get(key, float("inf"))


@dataclass
class Prober:
    """Asks `items` in turn from `threads` threads, together `rate` questions a second while answers come in time."""

    url: str
    token: str
    items: Sequence[Item]
    truth: Truth
    threads: int = 2
    rate: float = 5.0
    faults: list[str] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    evidence: set[str] = field(default_factory=set)
    """Of every answer that left: each must have its record."""

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> Prober:
        self._stop = threading.Event()
        self._next = cycle(self.items)
        self._pool = [threading.Thread(target=self._run, daemon=True) for _ in range(self.threads)]
        for thread in self._pool:
            thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        for thread in self._pool:
            thread.join(TIMEOUT + 5)

    def _run(self) -> None:
        every, due = self.threads / self.rate, time.monotonic()
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            due = max(due, time.monotonic()) + every  # what an answer took is no part of the pause, nor made up for
            with self._lock:
                item = next(self._next)
            self.probe(item)

    def probe(self, item: Item) -> str:
        """Ask about one item and note what is wrong with the answer; returns its status, or `down`."""
        began = time.monotonic()
        try:
            answer = call(self.url, self.token, "/api/chat/ask", {"question": item.question})
        except (OSError, ValueError) as error:
            if isinstance(error, HTTPError) and error.code not in DOWN:
                self._fault(f"{item.code}: HTTP {error.code}")
            status = "down"
        else:
            status = str(answer["status"])
            with self._lock:
                self.evidence.add(str(answer["evidence"]))
            self._judge(item, answer, began, time.monotonic())
        with self._lock:
            self.seen[status] += 1
        return status

    def _judge(self, item: Item, answer: dict, began: float, ended: float) -> None:
        cited = [citation for claim in answer["claims"] for citation in claim["citations"]]
        for citation in cited:
            key = (citation["document"], citation["revision"])
            if self.truth.forbids(key, began, ended):
                self._fault(f"{key} was quoted while it was not in force")
            told = dict(zip(("v1", "v2"), item.limits, strict=True)).get(key[1])
            if key[0] == item.code and "limite" in citation["quote"] and str(told) not in citation["quote"]:
                self._fault(f"{key} does not say {citation['quote']!r}")
        if answer["status"] == "not_found" and item.code not in self.truth.moved:
            self._fault(f"{item.code} is in force and was not found")
        if answer["status"] == "answered" and not cited:
            self._fault(f"{item.code}: answered with no citation")

    def _fault(self, words: str) -> None:
        with self._lock:
            self.faults.append(words)


def call(url: str, token: str, path: str, body: dict | None = None) -> dict:
    """One request of the API as the token's person. Raises HTTPError for a refusal, OSError where nobody answers."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Accept": "application/json"}
    request = Request(url + path, json.dumps(body).encode() if body is not None else None, headers)
    with urlopen(request, timeout=TIMEOUT) as response:
        value: dict = json.load(response)
        return value


def until_done(act: Callable[[], None], patience: float = 60) -> None:
    """Repeat a call over HTTP while the other side is down; a refusal of its own ends it."""
    deadline = time.monotonic() + patience
    while True:
        try:
            act()
        except HTTPError as error:
            if error.code not in DOWN or time.monotonic() > deadline:
                raise
        except (OSError, ValueError):
            if time.monotonic() > deadline:
                raise
        else:
            return
        time.sleep(0.2)
