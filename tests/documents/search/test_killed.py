"""`kill -9` at every step of a rebuild, and questions asked while texts come, change and go. Real processes."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.test import override_settings
from django.utils import timezone

from documents import corpus
from documents.models import Chunk, IndexVersion, Revision
from documents.reader import reader_of
from documents.rules.types import Corpus, Reader, Reason
from documents.search import active, rebuild
from documents.search.base import Filter, Query
from documents.search.check import check
from documents.search.converge import converge
from documents.search.postgres import Engine
from documents.search.rebuild import reindex, rollback
from governance.actions.document import data_of, set_data
from tests import factories
from tests.documents.search.corpus import JAN, Shelf, found
from tests.documents.search.test_together import in_processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

step = 0
dies_at = 0


def passed() -> None:
    """One step further; at the chosen one this process is killed."""
    global step
    step += 1
    if step == dies_at:
        os.kill(os.getpid(), signal.SIGKILL)


def mortal(method: str) -> Callable[..., Any]:
    """The engine's own method, with a step before and a step after it."""

    def call(self: Engine, *arguments: Any, **options: Any) -> Any:
        passed()
        result = getattr(Engine, method)(self, *arguments, **options)
        passed()
        return result

    return call


class Mortal(Engine):
    """The embedded engine in a process that may be killed between any two of its calls."""

    create, put, finish, activate, drop = map(mortal, ("create", "put", "finish", "activate", "drop"))  # type: ignore[assignment]


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    shelf = Shelf().fill()
    converge(Revision.objects.values_list("pk", flat=True))
    reindex()  # so that there is a previous one to drop
    parts = {"engine": {"BACKEND": f"{__name__}.Mortal"}}
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | parts):
        yield shelf


def killed_at(number: int, act: Callable[[], object]) -> bool:
    """Whether a process of its own was killed at that step, rather than having come to its end before."""

    def run() -> None:
        global dies_at, step
        dies_at, step = number, 0
        act()

    [status] = in_processes(run)
    assert status in (0, -signal.SIGKILL)
    return status != 0


def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the engine's calls: before and after the switch, and before each look at what a version should hold."""
    for name in ("true_summary", "held_summary", "_prepare"):
        monkeypatch.setattr(rebuild, name, _stepping(getattr(rebuild, name)))
    monkeypatch.setattr(active, "switch", _stepping(active.switch))


def _stepping(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        passed()
        result = function(*arguments)
        passed()
        return result

    return call


def test_a_rebuild_may_be_killed_at_every_step(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    steps(monkeypatch)
    number, deaths = 0, 0
    while True:
        number += 1
        if not killed_at(number, reindex):
            break
        deaths += 1
        assert IndexVersion.objects.filter(state="active").count() == 1
        assert found(shelf.employee) == {"manual@v2"}, f"killed at step {number}"
        assert check(active.engine(), active.version()) == []  # type: ignore[arg-type]
        if number % 3 == 0:  # sometimes the next one goes on, sometimes the next one is killed too
            assert reindex() == active.version()
    assert deaths > 12
    states = list(IndexVersion.objects.exclude(state="dropped").values_list("state", flat=True))
    assert sorted(states) == ["active", "previous"], "nothing is left lying about"
    assert not IndexVersion.objects.filter(state="dropped", dropped_at=None).exists()


def test_a_rollback_may_be_killed_at_every_step(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "converge", _stepping(rebuild.converge))
    for number in range(1, 5):
        killed_at(number, rollback)
        assert IndexVersion.objects.filter(state="active").count() == 1
        assert found(shelf.employee) == {"manual@v2"}
        converge(Revision.objects.values_list("pk", flat=True))
        assert check(active.engine(), active.version()) == []  # type: ignore[arg-type]


ITEMS = 60
ITEM = re.compile(r"O item (\d+) da norma")


def long_text(word: int) -> str:
    """A text of several passages, each of which says which of the items stand in it."""
    items = (f"O item {n} da norma {word} tem prazo de {n} dias úteis, contados do pedido." for n in range(ITEMS))
    return "1. Prazos\n" + "\n".join(items) + "\n"


def items_seen(reader: Reader) -> dict[str, set[int]]:
    """By document, the items that one question finds and that the tables let through."""
    version, today = corpus.index_version(), timezone.localdate()
    question = "prazo do item em dias úteis"
    query = Query(question, active.embedder_of(version).query(question))
    asked = Filter(corpus.audiences(reader), today, today, False, Corpus.OFFICIAL)
    [lists] = active.engine().search(version.pk, query, [asked], 500)
    hits = dict.fromkeys(hit.chunk_id for hit in (*lists.lexical, *lists.vector))
    seen: dict[str, set[int]] = {}
    for one in corpus.load(version, list(hits), reader, today, today):
        if one.reason is Reason.ELIGIBLE and one.passage.document.startswith("longo"):
            seen.setdefault(one.passage.document, set()).update(map(int, ITEM.findall(one.passage.text)))
    return seen


def test_a_question_sees_all_of_a_revision_or_nothing_of_it(shelf: Shelf) -> None:
    """Texts are published, get another title and go, again and again, while people ask."""
    stop, seen, partly = threading.Event(), set(), []
    reader = reader_of(shelf.employee)

    def ask() -> None:
        try:
            while not stop.is_set():
                for document, items in items_seen(reader).items():
                    seen.add(document)
                    if items != set(range(ITEMS)):
                        partly.append((document, sorted(items)))
        finally:
            connections.close_all()

    askers = [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    try:
        for number in range(8):
            document = factories.document(f"longo-{number}", owner=shelf.owner, readers=["group:todos"])
            revision = factories.revision(document, state="published", start=JAN, text=long_text(number))
            converge([revision.pk])
            assert Chunk.objects.filter(revision=revision).count() > 2
            set_data(document.pk, replace(data_of(document), title=f"Outro {number}"), actor=shelf.owner, reason="r")
            Revision.objects.filter(pk=revision.pk).update(state="retired", retired_on=JAN)
            converge([revision.pk])
    finally:
        stop.set()
        for asker in askers:
            asker.join()
    assert partly == []
    assert len(seen) >= 3, "the questions were there when texts came"
