"""Several processes may want to write to the index at once; one at a time does, and the tables win."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from django.db import connections

from documents.models import Chunk, Embedding, IndexVersion, Revision
from documents.search import active
from documents.search import converge as convergence
from documents.search.check import check
from documents.search.converge import converge
from documents.search.rebuild import RebuildRefused, reindex
from governance.actions import retire
from tests import factories
from tests.documents.search.corpus import JAN, Shelf, found

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def in_processes(*acts: Callable[[], object]) -> list[int]:
    """Run each in a process of its own, at the same time; their exit statuses."""
    children = []
    for act in acts:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                # The parent's connection stays open and unused here: closing it would end the parent's session.
                gc.disable()
                kept = [one.connection for one in connections.all(initialized_only=True)]
                for one in connections.all(initialized_only=True):
                    one.connection = None
                act()
                status = 0 if kept is not None else 1
            except RebuildRefused:
                status = 3
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf().fill()


def more(shelf: Shelf, count: int) -> list[int]:
    document = factories.document("muitos", owner=shelf.owner, readers=["group:todos"])
    texts = [f"1. Item {n}\nO item {n} tem prazo próprio de {n} dias.\n" for n in range(count)]
    return [factories.revision(document, f"d{n}", text=text).pk for n, text in enumerate(texts)]


def is_right() -> bool:
    version = active.version()
    return version is not None and check(active.engine(), version) == []


def converging(ids: Sequence[int]) -> Callable[[], object]:
    return lambda: converge(ids)


def test_processes_that_write_at_the_same_time_lose_nothing(shelf: Shelf) -> None:
    converge([])
    ids = more(shelf, 24)
    assert in_processes(converging(ids[:16]), converging(ids[8:])) == [0, 0]
    converge(Revision.objects.values_list("pk", flat=True))
    assert is_right()
    assert Chunk.objects.filter(revision__in=ids).count() == Embedding.objects.filter(chunk__revision__in=ids).count()


def test_the_same_revisions_are_cut_once(shelf: Shelf) -> None:
    converge([])
    ids = more(shelf, 8)
    assert in_processes(*[converging(ids)] * 3) == [0, 0, 0]
    assert Chunk.objects.filter(revision__in=ids).count() == 8
    converge(Revision.objects.values_list("pk", flat=True))
    assert is_right()


def test_the_first_index_is_made_once(shelf: Shelf) -> None:
    ids = more(shelf, 4)
    assert in_processes(*[converging(ids)] * 3) == [0, 0, 0]
    assert IndexVersion.objects.count() == 1


def test_of_two_rebuilds_one_is_refused_or_waits_its_turn(shelf: Shelf) -> None:
    converge(Revision.objects.values_list("pk", flat=True))
    more(shelf, 20)
    statuses = in_processes(reindex, reindex)
    assert 0 in statuses
    assert set(statuses) <= {0, 3}
    assert is_right()


def test_a_retirement_during_a_rebuild_is_in_the_new_index(shelf: Shelf) -> None:
    more(shelf, 20)
    converge(Revision.objects.values_list("pk", flat=True))

    def retiring() -> None:
        retire(shelf.new.pk, actor=shelf.owner, reason="r", on=JAN)  # its job runs in that process, after the commit

    assert in_processes(reindex, retiring) == [0, 0]
    assert found(shelf.employee) == set()
    assert is_right()


def test_a_persons_change_does_not_wait_behind_an_import(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two batches of a bulk load the writer's lock is free for whoever waits for it."""
    converge([])
    monkeypatch.setattr(convergence, "BATCH", 4)
    free: list[bool] = []
    writing = convergence.writing

    @contextmanager
    def watched() -> Iterator[None]:
        with writing():
            yield
        with connections.create_connection("default").cursor() as other:
            other.execute("SELECT pg_try_advisory_lock(%s)", [convergence.WRITER_LOCK])
            free.append(bool(other.fetchone()[0]))
            other.execute("SELECT pg_advisory_unlock(%s)", [convergence.WRITER_LOCK])
            other.connection.close()

    monkeypatch.setattr(convergence, "writing", watched)
    converge(more(shelf, 20))
    assert free == [True] * 5
