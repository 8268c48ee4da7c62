"""A rebuild stands beside the index in use until it is known to be right; whatever goes wrong, that one answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import override_settings

from documents.models import IndexEntry, IndexVersion, Revision
from documents.search import active, rebuild
from documents.search.base import Engine, EngineUnavailable, Entry
from documents.search.check import check
from documents.search.converge import converge
from documents.search.rebuild import REBUILD_LOCK, RebuildRefused, reindex
from tests import factories
from tests.documents.search.corpus import JAN, CountingEngine, Shelf, Work, counting, found

pytestmark = pytest.mark.django_db


@pytest.fixture
def work() -> Iterator[Callable[[], Work]]:
    with counting() as since:
        yield since


@pytest.fixture
def shelf(work: Callable[[], Work]) -> Shelf:
    shelf = Shelf().fill()
    converge(Revision.objects.values_list("pk", flat=True))
    work()
    return shelf


def states() -> list[str]:
    return list(IndexVersion.objects.order_by("pk").values_list("state", flat=True))


def folders() -> set[str]:
    return {path.name for path in Path(settings.KB_INDEX_PATH).iterdir()}


def in_use() -> IndexVersion:
    version = active.version()
    assert version is not None
    return version


def test_a_rebuild_embeds_nothing_that_is_known_and_switches(shelf: Shelf, work: Callable[[], Work]) -> None:
    before = in_use()
    version = reindex()
    assert (in_use(), states()) == (version, ["previous", "active"])
    assert (version.entries, len(version.set_hash)) == (4, 64)
    assert work().texts == []
    assert found(shelf.employee) == {"manual@v2"}
    assert check(active.engine(), version) == []
    assert active.engine().size(before.pk) == 4, "the previous one is kept for a rollback"


def test_versions_before_the_previous_are_dropped_whole(shelf: Shelf) -> None:
    first = in_use()
    reindex()
    reindex()
    assert states() == ["previous", "active"]
    assert str(first.pk) not in folders()
    assert {str(pk) for pk in IndexVersion.objects.values_list("pk", flat=True)} <= folders()
    assert not IndexEntry.objects.filter(version_id=first.pk).exists()


def test_the_first_index_may_come_from_a_rebuild() -> None:
    shelf = Shelf().fill()
    reindex()
    assert (states(), found(shelf.employee)) == (["active"], {"manual@v2"})


def test_only_one_rebuild_at_a_time(shelf: Shelf) -> None:
    with connections.create_connection("default").cursor() as other:
        other.execute("SELECT pg_advisory_lock(%s)", [REBUILD_LOCK])
        try:
            with pytest.raises(RebuildRefused, match="another reindex is running"):
                reindex()
            with pytest.raises(CommandError) as refused:
                call_command("reindex")
            assert refused.value.returncode == 2
        finally:
            other.execute("SELECT pg_advisory_unlock(%s)", [REBUILD_LOCK])
            other.connection.close()
    assert reindex() == in_use()


class Dying(CountingEngine):
    """An engine whose process dies in the middle of a bulk load."""

    def finish(self, version: int) -> None:
        raise KeyboardInterrupt


def test_a_rebuild_that_dies_leaves_the_index_in_use_answering_and_the_next_cleans_up(shelf: Shelf) -> None:
    before = in_use()
    with (
        override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"engine": {"BACKEND": f"{__name__}.Dying"}}),
        pytest.raises(KeyboardInterrupt),
    ):
        reindex()
    assert (in_use(), states()) == (before, ["active", "building"])
    assert found(shelf.employee) == {"manual@v2"}
    left = IndexVersion.objects.get(state="building")
    reindex()
    assert states() == ["previous", "active"]
    assert str(left.pk) not in folders()


class Forgetful(CountingEngine):
    """An engine that loses an entry of all that it is given."""

    def put(self, version: int, entries: Sequence[Entry], revisions: object) -> None:
        super().put(version, list(entries)[1:], revisions)


def test_a_rebuild_that_does_not_hold_the_truth_is_not_published(shelf: Shelf) -> None:
    before = in_use()
    with (
        override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"engine": {"BACKEND": f"{__name__}.Forgetful"}}),
        pytest.raises(RebuildRefused, match="holds 3 chunks and should hold 4"),
    ):
        reindex()
    assert in_use() == before
    assert found(shelf.employee) == {"manual@v2"}


def test_what_changes_while_it_is_built_is_in_it(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """One text comes, one goes and one moves after the bulk load; the switch waits for them."""
    publish = rebuild._publish

    def meanwhile(engine: Engine, version: IndexVersion) -> None:
        new = factories.revision(factories.document("novo", owner=shelf.owner, readers=["group:todos"]),
                                 state="published", start=JAN)  # fmt: skip
        Revision.objects.filter(pk=shelf.new.pk).update(state="retired", retired_on=JAN)
        shelf.draft.delete()
        converge([new.pk, shelf.new.pk])
        publish(engine, version)

    monkeypatch.setattr(rebuild, "_publish", meanwhile)
    version = reindex()
    assert found(shelf.employee) == {"novo@v1"}
    assert check(active.engine(), version) == []


def test_another_model_asks_for_a_rebuild(shelf: Shelf) -> None:
    other = {"embedder": {"BACKEND": "documents.embedders.hashing.Embedder", "OPTIONS": {"dimensions": 96}}}
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | other):
        with pytest.raises(EngineUnavailable, match="another model"):
            found(shelf.employee)
        version = reindex()
        assert (version.dimensions, found(shelf.employee)) == (96, {"manual@v2"})
    with pytest.raises(EngineUnavailable, match="another model"):
        found(shelf.employee)
