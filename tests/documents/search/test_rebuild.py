"""A rebuild stands beside the index in use until it is known to be right; whatever goes wrong, that one answers."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import override_settings

from documents.embedders.base import Embedder
from documents.models import Chunk, IndexEntry, IndexVersion, Revision
from documents.rules import chunking, terms
from documents.search import active, rebuild
from documents.search.base import Engine, EngineUnavailable, Entry
from documents.search.check import check
from documents.search.converge import converge
from documents.search.rebuild import REBUILD_LOCK, RebuildRefused, reindex, rollback
from governance.actions import retire
from kbportal.backends import get_backend
from tests import factories
from tests.documents.search.corpus import JAN, CountingEngine, Shelf, Work, counting, found, reasons

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
    assert states() == ["dropped", "previous", "active"]
    kept = IndexVersion.objects.exclude(state="dropped").values_list("pk", flat=True)
    assert folders().isdisjoint({str(first.pk)})
    assert {str(pk) for pk in kept} <= folders()
    assert not IndexEntry.objects.filter(version_id=first.pk).exists()
    first.refresh_from_db()
    assert first.dropped_at is not None, "its row tells that there was one"


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


SMALL = {"embedder": {"BACKEND": "documents.embedders.hashing.Embedder", "OPTIONS": {"dimensions": 96}}}


class Dying(CountingEngine):
    """An engine whose process dies in the middle of a bulk load."""

    def finish(self, version: int) -> None:
        raise KeyboardInterrupt


def die() -> IndexVersion:
    """What a rebuild that died after its bulk load left behind."""
    with (
        override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"engine": {"BACKEND": f"{__name__}.Dying"}}),
        pytest.raises(KeyboardInterrupt),
    ):
        reindex()
    return IndexVersion.objects.get(state="building")


def test_a_rebuild_that_died_is_gone_on_with_and_the_index_in_use_answers_meanwhile(
    shelf: Shelf, work: Callable[[], Work]
) -> None:
    before = in_use()
    left = die()
    assert (in_use(), found(shelf.employee)) == (before, {"manual@v2"})
    work()
    assert reindex() == left == in_use()
    assert work().put == [], "what it had built is there"
    assert states() == ["previous", "active"]


def test_what_a_rebuild_left_is_dropped_when_the_settings_ask_for_something_else(shelf: Shelf) -> None:
    left = die()
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | SMALL):
        assert reindex() != left
    left.refresh_from_db()
    assert left.state == "dropped"
    assert str(left.pk) not in folders()


def test_what_a_rebuild_left_is_dropped_when_it_can_not_be_read(shelf: Shelf) -> None:
    left = die()
    for file in (Path(settings.KB_INDEX_PATH) / str(left.pk)).iterdir():
        file.write_bytes(b"\0" * 16)
    get_backend.cache_clear()
    assert reindex() != left
    assert found(shelf.employee) == {"manual@v2"}
    assert check(active.engine(), in_use()) == []


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

    def meanwhile(engine: Engine, version: IndexVersion, embedder: Embedder) -> None:
        new = factories.revision(factories.document("novo", owner=shelf.owner, readers=["group:todos"]),
                                 state="published", start=JAN)  # fmt: skip
        Revision.objects.filter(pk=shelf.new.pk).update(state="retired", retired_on=JAN)
        shelf.draft.delete()
        converge([new.pk, shelf.new.pk])
        publish(engine, version, embedder)

    monkeypatch.setattr(rebuild, "_publish", meanwhile)
    version = reindex()
    assert found(shelf.employee) == {"novo@v1"}
    assert check(active.engine(), version) == []


def test_with_another_model_in_the_settings_the_old_index_answers_until_the_new_one_is_there(shelf: Shelf) -> None:
    IndexVersion.objects.update(embedder={"backend": "documents.embedders.hashing.Embedder", "options": {}})
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | SMALL):
        assert not active.fits(in_use())
        assert (in_use().dimensions, found(shelf.employee)) == (384, {"manual@v2"})
        late = factories.revision(
            factories.document("novo", owner=shelf.owner, readers=["group:todos"]), state="published", start=JAN
        )
        converge([late.pk])
        assert found(shelf.employee) == {"manual@v2", "novo@v1"}, "a change goes into the index in use, by its model"
        version = reindex()
        assert (version.dimensions, found(shelf.employee)) == (96, {"manual@v2", "novo@v1"})
    assert found(shelf.employee) == {"manual@v2", "novo@v1"}, "a process with the old settings answers from the new one"


def test_an_index_of_a_model_that_is_gone_says_what_to_do(shelf: Shelf) -> None:
    IndexVersion.objects.update(fingerprint="gone", embedder={})
    with pytest.raises(EngineUnavailable, match=r"run `manage\.py reindex`"):
        found(shelf.employee)
    IndexVersion.objects.update(embedder={"backend": "os.system", "options": {}})
    with pytest.raises(EngineUnavailable, match="another model, gone"):
        found(shelf.employee)
    reindex()
    assert found(shelf.employee) == {"manual@v2"}


def test_keys_do_not_go_into_the_table(shelf: Shelf) -> None:
    options = {"model": "m", "dimensions": 8, "api_key": "sk-secret", "base_url": "http://127.0.0.1:1"}
    remote = {"BACKEND": "documents.embedders.openai.Embedder", "OPTIONS": options}
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"embedder": remote}):
        row = active.make(active.engine(), active.embedder())
    assert "sk-secret" not in str(row.embedder)
    other = remote | {"OPTIONS": options | {"model": "n"}}
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"embedder": other}):
        assert active.embedder_of(row).fingerprint == row.fingerprint


def test_another_cutting_is_made_beside_and_the_old_cut_goes_with_its_index(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = in_use()
    before = set(Chunk.objects.values_list("pk", flat=True))
    monkeypatch.setattr(chunking, "POLICY_VERSION", "next")
    prepared: list[set[str]] = []
    publish = rebuild._publish

    def look(*arguments: object) -> None:
        assert in_use() == old
        prepared.append(found(shelf.employee))
        publish(*arguments)

    monkeypatch.setattr(rebuild, "_publish", look)
    version = reindex()
    assert prepared == [{"manual@v2"}]
    assert before <= set(Chunk.objects.values_list("pk", flat=True)), "the previous index still has its passages"
    assert (found(shelf.employee), check(active.engine(), version)) == ({"manual@v2"}, [])
    assert rollback() == old
    assert found(shelf.employee) == {"manual@v2"}
    monkeypatch.setattr(rebuild, "_publish", publish)
    reindex()
    reindex()
    assert before.isdisjoint(Chunk.objects.values_list("pk", flat=True)), "no index holds it any more"


def test_a_process_of_an_older_release_answers_from_the_previous_index(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = in_use()
    with monkeypatch.context() as release:
        release.setattr(terms, "VERSION", "next")
        assert_unreadable = pytest.raises(EngineUnavailable, match="other rules")
        with assert_unreadable:
            found(shelf.employee)
        new = reindex()
        assert active.answering() == new
    assert active.answering() == old
    retire(shelf.new.pk, actor=shelf.owner, reason="r", on=JAN)
    assert reasons(shelf.employee, [shelf.new]) == {"manual@v2": "retired"}, "what the old index lacks, the tables say"


def test_going_back_is_one_step_and_brings_the_previous_index_up_to_date(shelf: Shelf) -> None:
    first, second = in_use(), reindex()
    late = factories.revision(
        factories.document("novo", owner=shelf.owner, readers=["group:todos"]), state="published", start=JAN
    )
    shelf.draft.delete()
    converge(Revision.objects.values_list("pk", flat=True))
    call_command("reindex", "--rollback")
    assert (in_use(), states()) == (first, ["active", "previous"])
    assert found(shelf.employee) == {"manual@v2", str(late)}
    assert check(active.engine(), first) == []
    assert rollback() == second


def gone(version: IndexVersion) -> None:
    version.delete()


def of_another_engine(version: IndexVersion) -> None:
    IndexVersion.objects.filter(pk=version.pk).update(engine="other")


def of_other_rules(version: IndexVersion) -> None:
    IndexVersion.objects.filter(pk=version.pk).update(rules="other")


def of_a_lost_model(version: IndexVersion) -> None:
    IndexVersion.objects.filter(pk=version.pk).update(fingerprint="lost", embedder={})


def of_other_dimensions(version: IndexVersion) -> None:
    IndexVersion.objects.filter(pk=version.pk).update(dimensions=96)


def without_its_folder(version: IndexVersion) -> None:
    shutil.rmtree(Path(settings.KB_INDEX_PATH) / str(version.pk))
    get_backend.cache_clear()


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (gone, "there is no previous index"),
        (of_another_engine, "is of the engine other"),
        (of_other_rules, "made by other rules"),
        (of_a_lost_model, "made by another model, lost"),
        (of_other_dimensions, "vectors of 96 dimensions"),
        (without_its_folder, "there is no index in"),
    ],
)
def test_going_back_is_refused_with_the_reason(shelf: Shelf, harm: Callable[[IndexVersion], None], why: str) -> None:
    first, second = in_use(), reindex()
    harm(first)
    with pytest.raises(CommandError, match=why) as refused:
        call_command("reindex", "--rollback")
    assert (refused.value.returncode, in_use()) == (2, second)
    assert found(shelf.employee) == {"manual@v2"}
