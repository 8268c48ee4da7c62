"""Whatever way an index drifts from the tables, it is told, and convergence or a rebuild heals it."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import ClassVar

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from documents import jobs
from documents.models import (
    Alarm,
    Chunk,
    Document,
    DocumentGroupGrant,
    Embedding,
    IndexEntry,
    IndexVersion,
    Job,
    Revision,
)
from documents.search import active
from documents.search.base import Held
from documents.search.check import check
from documents.search.converge import converge
from documents.search.postgres import Engine
from documents.search.rebuild import reindex
from kbportal.backends import get_backend
from tests import factories
from tests.documents.search.corpus import JUN, Shelf

pytestmark = pytest.mark.django_db


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf().fill()
    converge_all()
    return shelf


def converge_all() -> None:
    converge(Revision.objects.values_list("pk", flat=True))


def kinds() -> set[tuple[str, str]]:
    version = active.version()
    assert version is not None
    return {(drift.kind, f"{drift.document}@{drift.revision}") for drift in check(active.engine(), version)}


def entries(revision: Revision) -> object:
    return IndexEntry.objects.filter(revision_id=revision.pk)


def words_lost(shelf: Shelf) -> None:
    version, engine = active.version(), get_backend("engine")
    assert isinstance(engine, Engine)
    with engine._lexical(version.pk).writer() as writer:  # type: ignore[union-attr]
        writer.delete([shelf.new.chunks.get().pk])


def stranger(shelf: Shelf) -> None:
    """The index holds a text that the tables no longer have."""
    shelf.draft.delete()


def granted_behind_the_actions(shelf: Shelf) -> None:
    """As many rows at once are written, of which no signal tells."""
    permission, group = Permission.objects.get(codename="read_document"), factories.group("rh")
    DocumentGroupGrant.objects.bulk_create(
        [DocumentGroupGrant(permission=permission, group=group, content_object=shelf.manual)]
    )


MANUAL = [f"manual@{label}" for label in ("v1", "v2", "v3")]
DRIFTS: dict[str, tuple[Callable[[Shelf], object], set[tuple[str, str]]]] = {
    "vector lost": (lambda s: entries(s.new).delete(), {("partial", "manual@v2")}),
    "words lost": (words_lost, {("partial", "manual@v2")}),
    "audience tampered": (lambda s: entries(s.secret).update(audience="x"), {("partial", "folha@v1")}),
    "window tampered": (lambda s: entries(s.old).update(valid_until=10**6), {("partial", "manual@v1")}),
    "state moved": (
        lambda s: Revision.objects.filter(pk=s.draft.pk).update(state="in_review"), set(),
    ),
    "retired behind the actions": (
        lambda s: Revision.objects.filter(pk=s.new.pk).update(state="retired", retired_on="2026-07-01"),
        {("filter", "manual@v2")},
    ),
    "owner removed": (
        lambda s: Document.objects.filter(pk=s.payroll.pk).update(owner=None),
        {("audience", "folha@"), ("filter", "folha@v1")},
    ),
    "granted behind the actions": (granted_behind_the_actions, {("audience", "manual@")}),
    "key not written to the index": (
        lambda s: Document.objects.filter(pk=s.manual.pk).update(audience_key="x"),
        {("audience", "manual@"), *(("filter", name) for name in MANUAL)},
    ),
    "title changed": (
        lambda s: Document.objects.filter(pk=s.manual.pk).update(title="Outro"),
        {("passages", name) for name in MANUAL},
    ),
    "chunks lost": (
        lambda s: s.new.chunks.all().delete(), {("passages", "manual@v2"), ("unknown", "@")},
    ),
    "vectors of another configuration": (
        lambda s: Embedding.objects.filter(chunk__revision=s.new).update(configuration="old"),
        {("not_embedded", "manual@v2")},
    ),
    "embedding lost": (
        lambda s: Embedding.objects.filter(chunk__revision=s.new).delete(),
        {("not_embedded", "manual@v2"), ("unknown", "@")},
    ),
    "not indexed yet": (
        lambda s: factories.revision(s.manual, "v9"), {("passages", "manual@v9")},
    ),
    "a vector of another text": (
        lambda s: entries(s.new).update(vector=entries(s.secret).get().vector), {("vector", "manual@v2")},
    ),
    "passage is not its text": (
        lambda s: s.new.chunks.update(text="outro texto"), {("passages", "manual@v2")},
    ),
    "text gone": (stranger, {("unknown", "@")}),
    "rules changed": (lambda s: IndexVersion.objects.update(configuration_hash="old"), {("configuration", "@")}),
}  # fmt: skip


@pytest.mark.parametrize("name", DRIFTS)
def test_each_kind_of_drift_is_told(shelf: Shelf, name: str) -> None:
    assert kinds() == set()
    make, expected = DRIFTS[name]
    make(shelf)
    assert kinds() == expected


@pytest.mark.parametrize("name", [name for name in DRIFTS if name not in ("text gone", "rules changed")])
def test_convergence_heals_what_is_the_indexs_fault(shelf: Shelf, name: str) -> None:
    DRIFTS[name][0](shelf)
    converge_all()
    assert {kind for kind, _name in kinds()} <= {"audience"}, "a key is the actions' to refresh"


@pytest.mark.parametrize("name", DRIFTS)
def test_a_rebuild_heals_the_rest(shelf: Shelf, name: str) -> None:
    DRIFTS[name][0](shelf)
    reindex()
    assert kinds() == set()


@pytest.mark.parametrize("harm", ["gone", "emptied"])
def test_a_lost_folder_is_told_and_rebuilt(shelf: Shelf, harm: str) -> None:
    version = active.version()
    assert version is not None
    folder = Path(settings.KB_INDEX_PATH) / str(version.pk)
    shutil.rmtree(folder)
    if harm == "emptied":
        folder.mkdir()
    get_backend.cache_clear()  # another process, which has not read it before
    assert kinds() == {("unreadable", "@")}
    reindex()
    assert kinds() == set()


def run(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("check_index", *arguments, stdout=out)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_the_command_says_it_in_its_exit_status(shelf: Shelf) -> None:
    status, out = run("--json")
    assert (status, json.loads(out)["ok"], json.loads(out)["drift"]) == (0, True, [])
    chunk = shelf.new.chunks.get().pk
    entries(shelf.new).delete()
    status, out = run("--json")
    drift = {"kind": "partial", "document": "manual", "revision": "v2", "chunk": chunk, "where": "vectors",
             "revision_id": shelf.new.pk}  # fmt: skip
    assert (status, json.loads(out)["ok"], json.loads(out)["drift"]) == (1, False, [drift])
    assert run() == (1, f"partial manual@v2 {chunk} vectors\níndice postgres-{active.version().pk}: 1 diferença\n")  # type: ignore[union-attr]


def test_without_an_index_there_is_nothing_to_check() -> None:
    status, why = run()
    assert status == 2
    assert "import a corpus" in why


def test_the_cost_does_not_grow_with_the_documents(shelf: Shelf) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert kinds() == set()
        return len(captured)

    few = queries()
    for number in range(20):
        document = factories.document(owner=shelf.owner, readers=["group:todos"])
        factories.revision(document, state="published", start=JUN, text=f"1. A\nb {number}")
    converge_all()
    assert queries() == few
    assert Chunk.objects.count() == 24


def test_repair_heals_every_kind_and_says_how_many(shelf: Shelf) -> None:
    for name in ("words lost", "audience tampered", "window tampered", "embedding lost", "owner removed", "text gone"):
        DRIFTS[name][0](shelf)
    status, out = run("--json")
    told = len(json.loads(out)["drift"])
    assert (status, Alarm.objects.filter(kind="drift", closed_at=None).count()) == (1, 1)
    status, out = run("--json", "--repair")
    assert (status, json.loads(out)["repaired"], json.loads(out)["drift"]) == (0, told, [])
    assert (kinds(), Alarm.objects.filter(closed_at=None).count()) == (set(), 0)


@pytest.mark.parametrize("name", DRIFTS)
def test_repair_heals_each_kind(shelf: Shelf, name: str) -> None:
    DRIFTS[name][0](shelf)
    expected = 0 if not kinds() else 1
    assert run()[0] == expected
    assert run("--repair")[0] == 0
    assert kinds() == set()


def test_repair_rebuilds_what_can_not_be_read(shelf: Shelf) -> None:
    shutil.rmtree(Path(settings.KB_INDEX_PATH) / str(active.version().pk))  # type: ignore[union-attr]
    get_backend.cache_clear()
    assert run("--repair")[0] == 0
    assert kinds() == set()


def test_the_nightly_look_raises_the_alarm_and_clears_it(shelf: Shelf, caplog: pytest.LogCaptureFixture) -> None:
    entries(shelf.new).delete()
    entries(shelf.secret).update(audience="x")
    with caplog.at_level(logging.ERROR):
        for _ in range(2):
            jobs.run(jobs.schedule("check_index").pk)
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.count, alarm.note, alarm.closed_at) == ("drift", 2, "partial: 2", None)
    assert caplog.text.count("alarm: drift") == 1, "once, when it begins"
    assert Job.objects.filter(kind="check_index").first().queue == "bulk"  # type: ignore[union-attr]
    converge_all()
    jobs.run(jobs.schedule("check_index").pk)
    alarm.refresh_from_db()
    assert alarm.closed_at is not None


class Copied(Engine):
    """The embedded engine with a second copy of which one chunk is not what the first says."""

    lags: ClassVar[int] = 0

    def held(
        self, version: int, revisions: Sequence[int] | None = None, *, every_copy: bool = False
    ) -> dict[int, Held]:
        held = super().held(version, revisions, every_copy=every_copy)
        if every_copy and self.lags in held:
            held[self.lags] = replace(held[self.lags], differs=("copy-2",))
        return held


def test_a_copy_that_lags_is_named(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Copied, "lags", shelf.new.chunks.get().pk)
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"engine": {"BACKEND": f"{__name__}.Copied"}}):
        [drift] = check(active.engine(), active.version())  # type: ignore[arg-type]
    assert (drift.kind, drift.where) == ("partial", "copy-2")
