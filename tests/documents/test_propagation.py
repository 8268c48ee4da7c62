"""Every change is measured from its commit until each layer says what the tables say; what is late is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import ClassVar

import pytest
from django.conf import settings as django_settings
from django.test import override_settings
from django.utils import timezone

from documents import jobs, propagation
from documents.models import Alarm, Document, Propagation, Revision
from documents.rules.types import Risk
from documents.search import active, arrival
from documents.search.base import EngineUnavailable, Held
from documents.search.converge import converge
from documents.search.postgres import Engine
from documents.tasks import watch
from governance.actions import publish, restore, retire
from governance.actions.access import set_owner, set_readers
from governance.actions.document import data_of, set_data
from governance.errors import WrongState
from tests import factories
from tests.documents.search.corpus import TODAY, Shelf

pytestmark = pytest.mark.django_db

lagging: set[int] = set()


class Lagging(Engine):
    """The embedded engine with a second copy, on which some revisions have not arrived."""

    down: ClassVar[bool] = False

    def held(
        self, version: int, revisions: Sequence[int] | None = None, *, every_copy: bool = False
    ) -> dict[int, Held]:
        if every_copy and self.down:
            raise EngineUnavailable("a copy does not answer")
        held = super().held(version, revisions, every_copy=every_copy)
        if every_copy:
            return {
                chunk: Held(one.fields, one.vector, ("copy",)) if one.revision_id in lagging else one
                for chunk, one in held.items()
            }
        return held


def stubborn(revision_ids: Sequence[int]) -> list[str]:
    """A cache that does not agree while some revision lags."""
    return ["it holds an old answer"] if lagging.intersection(revision_ids) else []


@pytest.fixture(autouse=True)
def engine() -> Iterator[None]:
    lagging.clear()
    with override_settings(KB_BACKENDS=django_settings.KB_BACKENDS | {"engine": {"BACKEND": f"{__name__}.Lagging"}}):
        yield


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf().fill()
    converge(Revision.objects.values_list("pk", flat=True))
    return shelf


@pytest.fixture
def commit(django_capture_on_commit_callbacks: object) -> Callable[[], object]:
    return lambda: django_capture_on_commit_callbacks(execute=True)  # type: ignore[operator]


CHANGES: dict[str, Callable[[Shelf], object]] = {
    "retire": lambda s: retire(s.new.pk, actor=s.owner, reason="r", on=TODAY),
    "readers": lambda s: set_readers(s.manual.pk, [], actor=s.owner, reason="r"),
    "owner": lambda s: set_owner(s.manual.pk, s.hr, actor=s.owner, reason="r"),
    "data": lambda s: set_data(
        s.manual.pk, type(data_of(s.manual))(**{**_fields(data_of(s.manual)), "scope_units": ("CD-SP",)}),
        actor=s.owner, reason="r",
    ),
}  # fmt: skip


def _fields(data: object) -> dict[str, object]:
    return {name: getattr(data, name) for name in data.__dataclass_fields__}  # type: ignore[attr-defined]


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_measured_until_every_layer_agrees(shelf: Shelf, commit: Callable, change: str) -> None:
    with commit():
        CHANGES[change](shelf)
    row = Propagation.objects.get()
    assert (row.action, row.document, row.risk, row.bulk) == (change, shelf.manual, "normal", False)
    assert row.committed_at <= row.index_at <= row.copies_at <= row.caches_at == row.agreed_at
    assert row.due_at - row.committed_at == timedelta(seconds=60)
    assert not Propagation.objects.late(timezone.now()).exists()


def test_publication_and_restoration_wait_for_the_revision_before_too(shelf: Shelf, commit: Callable) -> None:
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    Revision.objects.filter(pk=shelf.draft.pk).update(
        state="approved", approved_by=approver, approved_hash=shelf.draft.content_hash
    )
    with commit() as callbacks:
        publish(shelf.draft.pk, actor=approver, reason="r", on=TODAY)
    assert len(callbacks) >= 2
    assert Propagation.objects.get(action="publish").agreed_at is not None
    with commit():
        retire(shelf.draft.pk, actor=shelf.owner, reason="r", on=TODAY)
    with commit():
        restore(shelf.draft.pk, actor=shelf.owner, reason="r")
    assert Propagation.objects.filter(agreed_at=None).count() == 0
    assert Propagation.objects.get(action="restore").revision == shelf.draft


def test_what_is_rolled_back_is_not_measured(shelf: Shelf) -> None:
    with pytest.raises(WrongState):
        retire(shelf.draft.pk, actor=shelf.owner, reason="r")
    assert not Propagation.objects.exists()


def test_a_copy_that_lags_and_a_cache_that_differs_keep_it_open(shelf: Shelf, commit: Callable) -> None:
    lagging.add(shelf.new.pk)
    with override_settings(KB_CACHE_CHECKS=[f"{__name__}.stubborn"]):
        with commit():
            CHANGES["retire"](shelf)
        row = Propagation.objects.get()
        assert row.index_at is not None
        assert (row.copies_at, row.caches_at, row.agreed_at) == (None, None, None)
        lagging.clear()
        arrival.look(active.engine(), [row])
        assert row.agreed_at is not None


def test_what_another_process_saw_agree_is_not_undone_by_one_that_looked_before(shelf: Shelf, commit: Callable) -> None:
    lagging.add(shelf.new.pk)
    with commit():
        CHANGES["retire"](shelf)
    early = list(Propagation.objects.all())
    lagging.clear()
    arrival.look(active.engine(), list(Propagation.objects.all()))
    agreed = Propagation.objects.get().agreed_at
    lagging.add(shelf.new.pk)
    arrival.look(active.engine(), early)
    assert Propagation.objects.get().agreed_at == agreed is not None


def test_what_arrives_by_itself_later_is_noticed_by_the_watch(
    shelf: Shelf, commit: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    lagging.add(shelf.new.pk)
    with commit():
        CHANGES["retire"](shelf)
    lagging.clear()
    watch()
    assert Propagation.objects.get().agreed_at is not None
    monkeypatch.setattr(Lagging, "down", True)
    with commit():
        CHANGES["readers"](shelf)
    watch()
    assert Propagation.objects.filter(agreed_at=None).count() == 1, "a copy that is down does not agree"


@pytest.mark.parametrize(("risk", "seconds"), [("high", 5), ("normal", 60), ("low", 900)])
def test_each_class_has_its_objective_and_being_over_it_is_an_alarm(
    shelf: Shelf, commit: Callable, risk: str, seconds: int
) -> None:
    Document.objects.update(risk=risk)
    lagging.add(shelf.new.pk)
    with commit():
        CHANGES["retire"](shelf)
    row = Propagation.objects.get()
    assert row.due_at - row.committed_at == timedelta(seconds=seconds)
    aged(row, seconds - 2)
    watch()
    assert not Alarm.objects.exists()
    aged(row, seconds + 2)
    watch()
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.count, alarm.note, alarm.closed_at) == ("late", 1, "manual", None)
    assert Propagation.objects.late(timezone.now()).get() == row
    lagging.clear()
    watch()
    alarm.refresh_from_db()
    assert alarm.closed_at is not None
    assert Propagation.objects.late(timezone.now()).get() == row, "it came, and it came late"


def test_a_change_made_in_bulk_has_the_widest_objective_and_is_counted_apart(shelf: Shelf) -> None:
    Document.objects.update(risk="high")
    with jobs.gathering():
        CHANGES["readers"](shelf)
    row = Propagation.objects.get()
    assert (row.bulk, row.due_at - row.committed_at) == (True, timedelta(seconds=900))
    since = timezone.now() - timedelta(days=1)
    assert propagation.summary(since) == []
    assert [one.count for one in propagation.summary(since, bulk=True)] == [1, 1, 1]


def test_the_summary_tells_percentiles_by_layer_class_and_day(shelf: Shelf) -> None:
    now = timezone.now().replace(hour=15)
    for number in range(1, 101):
        made(shelf.manual, "high", now, seconds=number / 10)
    made(shelf.manual, "low", now, seconds=None)
    made(shelf.manual, "low", now - timedelta(days=3), seconds=1)
    told = propagation.summary(now - timedelta(days=1), now)
    high = {one.layer: one for one in told if one.risk is Risk.HIGH}
    assert set(high) == set(propagation.LAYERS)
    index = high["index"]
    assert (index.count, index.open, index.late, index.day) == (100, 0, 50, timezone.localdate(now))
    assert [round(p or 0, 1) for p in (index.p50, index.p95, index.p99)] == [5.0, 9.5, 9.9]
    [low] = [one for one in told if one.risk is Risk.LOW and one.layer == "caches"]
    assert (low.count, low.open, low.p50) == (1, 1, None)


def made(document: Document, risk: str, at: object, seconds: float | None) -> Propagation:
    moment = None if seconds is None else at + timedelta(seconds=seconds)  # type: ignore[operator]
    return Propagation.objects.create(
        action="retire", document=document, risk=risk, committed_at=at, due_at=at + timedelta(seconds=5),  # type: ignore[operator]
        index_at=moment, copies_at=moment, caches_at=moment, agreed_at=moment,
    )  # fmt: skip


def aged(row: Propagation, seconds: float) -> None:
    earlier = timezone.now() - timedelta(seconds=seconds)
    due = earlier + (row.due_at - row.committed_at)
    Propagation.objects.filter(pk=row.pk).update(committed_at=earlier, due_at=due)


def test_measurements_of_long_ago_are_forgotten(shelf: Shelf) -> None:
    kept, old = (made(shelf.manual, "low", timezone.now() - timedelta(days=age), 1) for age in (80, 100))
    propagation.prune()
    assert list(Propagation.objects.all()) == [kept]
    assert old.pk
