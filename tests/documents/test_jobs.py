"""Work asked for outlives whatever carries it, may be done twice, and never harms who asked."""

from __future__ import annotations

import contextlib
import errno
import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.db import OperationalError, connections, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from documents import jobs, working
from documents.errors import TryLater
from documents.maintenance import tidy
from documents.models import Alarm, Job
from documents.tasks import ask_for, offer_stale_jobs, run_job, watch
from documents.working import HANDLERS, JOB_LOCK, MOST_FAULTS, Work, report
from kbportal.celery import app
from tests.documents.broker import broker_at

done: list[int | None] = []
trouble: list[str | Exception] = []


def remember(argument: int | None) -> None:
    """The handler of these tests: fails while there is trouble."""
    if trouble:
        raise trouble[0] if isinstance(trouble[0], Exception) else RuntimeError(trouble[0])
    done.append(argument)


@pytest.fixture(autouse=True)
def handler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for queue in Job.Queue:
        monkeypatch.setitem(HANDLERS, f"remember {queue}", Work(f"{__name__}.remember", queue))
    monkeypatch.setitem(HANDLERS, "remember", Work(f"{__name__}.remember"))
    done.clear()
    trouble.clear()
    yield
    trouble.clear()


@pytest.fixture
def queue(settings: object) -> None:
    settings.KB_JOBS = "queue"  # type: ignore[attr-defined]


@pytest.fixture
def no_broker(queue: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A broker that nobody listens for."""
    quick = {"socket_connect_timeout": 0.2}
    with broker_at("redis://127.0.0.1:1/0", broker_connection_timeout=0.2, broker_transport_options=quick):
        yield


@pytest.fixture
def commit(django_capture_on_commit_callbacks: object) -> Callable[[], object]:
    return lambda: django_capture_on_commit_callbacks(execute=True)  # type: ignore[operator]


def aged(job: Job, **age: float) -> Job:
    Job.objects.filter(pk=job.pk).update(updated_at=timezone.now() - timedelta(**age))
    return job


pytestmark = pytest.mark.django_db


def test_a_job_starts_after_the_commit_and_not_before(commit: Callable) -> None:
    with commit():
        with transaction.atomic():
            job = jobs.schedule("remember", 7)
        assert (done, job.state) == ([], "waiting")
    job.refresh_from_db()
    assert (done, job.state, job.attempts) == ([7], "done", 1)


def test_what_is_rolled_back_asks_for_nothing(commit: Callable) -> None:
    with commit(), transaction.atomic():
        jobs.schedule("remember", 7)
        transaction.set_rollback(True)
    assert (done, Job.objects.count()) == ([], 0)


def test_an_unknown_kind_is_refused_where_it_is_asked_for() -> None:
    with pytest.raises(ValueError, match="sweep"):
        jobs.schedule("sweep")


def test_a_job_is_done_once_however_often_it_is_run() -> None:
    job = jobs.schedule("remember", 7)
    for _ in range(3):
        jobs.run(job.pk)
    run_job(job.pk)
    jobs.run(job.pk + 1000)
    assert done == [7]


def test_a_job_that_fails_here_harms_nobody_and_keeps_its_reason(
    commit: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    trouble.append("the engine is down")
    with caplog.at_level(logging.ERROR), commit():
        job = jobs.schedule("remember", 7)
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == ("failed", 1, "RuntimeError: the engine is down")
    assert "waits for the next round" in caplog.text
    trouble.clear()
    aged(job, minutes=3)
    assert jobs.offer_stale() == 1
    job.refresh_from_db()
    assert (job.state, job.error, done) == ("done", "", [7])


@pytest.mark.django_db(transaction=True)
def test_a_failing_job_does_not_undo_or_fail_the_change_that_asked_for_it() -> None:
    trouble.append("no")
    with transaction.atomic():
        job = jobs.schedule("remember", 7)
    assert Job.objects.get(pk=job.pk).state == "failed"


def test_a_worker_is_told_of_a_failure() -> None:
    trouble.append("no")
    job = jobs.schedule("remember", 7)
    with pytest.raises(RuntimeError):
        run_job(job.pk)


def test_a_broker_that_is_down_loses_nothing(no_broker: None, commit: Callable) -> None:
    with commit():
        job = jobs.schedule("remember", 7)
    job.refresh_from_db()
    assert (done, job.state) == ([], "waiting")
    aged(job, minutes=2)
    assert jobs.offer_stale() == 1
    assert Job.objects.get().state == "waiting"


@pytest.mark.parametrize("name", Job.Queue)
def test_a_queued_job_reaches_the_workers_of_its_queue_by_its_id(queue: None, commit: Callable, name: str) -> None:
    with commit():
        job = jobs.schedule(f"remember {name}", 7)
    with app.connection_for_read() as connection:
        message = connection.SimpleQueue(name).get(timeout=60)
        message.ack()
    assert message.payload[0] == [job.pk]
    assert message.headers["task"] == "documents.tasks.run_job"
    assert done == []


@pytest.mark.parametrize(
    ("state", "attempts", "age", "offered"),
    [
        ("waiting", 0, {"seconds": 30}, False),
        ("waiting", 0, {"seconds": 90}, True),
        ("failed", 1, {"seconds": 90}, False),
        ("failed", 1, {"seconds": 150}, True),
        ("failed", 4, {"minutes": 15}, False),
        ("failed", 4, {"minutes": 17}, True),
        ("failed", 900, {"minutes": 59}, False),
        ("failed", 900, {"minutes": 61}, True),
        ("waiting", 0, {"seconds": -30}, False),
        ("waiting", 0, {"minutes": -30}, True),
        ("failed", 4, {"minutes": -61}, True),
        ("running", 1, {"seconds": 30}, False),
        ("running", 1, {"seconds": 90}, True),
        ("done", 1, {"days": 2}, False),
        ("parked", 5, {"days": 2}, False),
        ("discarded", 5, {"days": 2}, False),
    ],
)
def test_what_is_stale_is_offered_again(state: str, attempts: int, age: dict[str, float], offered: bool) -> None:
    aged(Job.objects.create(kind="remember", argument=7, state=state, attempts=attempts), **age)
    assert jobs.offer_stale() == offered
    assert done == ([7] if offered else [])
    assert jobs.offer_stale() == 0, "once a round"


def test_rows_of_long_ago_are_forgotten_when_done() -> None:
    old = aged(Job.objects.create(kind="remember", state="done"), days=8)
    kept = [
        aged(Job.objects.create(kind="remember", state="done"), days=6),
        aged(Job.objects.create(kind="remember", state="parked", attempts=1), days=30),
    ]
    tidy(None)
    assert set(Job.objects.all()) == set(kept)
    assert old not in Job.objects.all()


def test_what_the_clock_asks_for_is_there() -> None:
    schedule = django_settings.CELERY_BEAT_SCHEDULE.values()
    assert {offer_stale_jobs.name, watch.name, ask_for.name} == {entry["task"] for entry in schedule}
    assert all(entry["task"] in app.tasks for entry in schedule)
    assert {kind for entry in schedule for kind in entry.get("args", ())} <= HANDLERS.keys()


def test_gathered_jobs_wait_for_whoever_gathered_them(commit: Callable) -> None:
    with commit(), jobs.gathering() as ids:
        jobs.schedule("remember", 7)
    assert (done, Job.objects.get().state) == ([], "waiting")
    jobs.settle(ids)
    assert Job.objects.get().state == "done"


def test_what_was_gathered_by_one_that_died_is_done_by_the_worker() -> None:
    def die() -> None:
        with jobs.gathering():
            jobs.schedule("remember", 7)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        die()
    aged(Job.objects.get(), minutes=2)
    jobs.offer_stale()
    assert done == [7]
    jobs.schedule("remember", 8)
    assert Job.objects.filter(state="waiting").count() == 1, "and nothing is gathered any more"


def test_every_handler_is_there() -> None:
    assert all(callable(import_string(work.handler)) for work in HANDLERS.values())


def attempts(job: Job, count: int) -> Job:
    for _ in range(count):
        with contextlib.suppress(Exception):
            jobs.run(job.pk)
    job.refresh_from_db()
    return job


def test_what_fails_by_its_own_fault_again_and_again_is_parked_and_told(caplog: pytest.LogCaptureFixture) -> None:
    trouble.append("no such letter")
    job = attempts(jobs.schedule("remember", 7), MOST_FAULTS - 1)
    assert (job.state, jobs.watch()) == ("failed", 0)
    job = attempts(job, 3)
    assert (job.state, job.attempts, job.error) == ("parked", MOST_FAULTS, "RuntimeError: no such letter")
    trouble.clear()
    aged(job, days=1)
    assert (jobs.offer_stale(), done) == (0, []), "a person decides"
    watch()
    alarm = Alarm.objects.get(closed_at=None)
    assert (alarm.kind, alarm.count, alarm.note) == ("parked", 1, "remember")
    Job.objects.update(state="discarded")
    watch()
    assert not Alarm.objects.filter(closed_at=None).exists()


@pytest.mark.parametrize(
    "down", [TryLater("the engine is down"), OperationalError("no database"), OSError(errno.ENOSPC, "no room")]
)
def test_work_waits_for_a_part_that_is_down_for_as_long_as_it_takes(down: Exception) -> None:
    trouble.append(down)
    job = attempts(jobs.schedule("remember", 7), 3 * MOST_FAULTS)
    assert (job.state, job.attempts, job.faults) == ("failed", 3 * MOST_FAULTS, 0)
    trouble.clear()
    jobs.run(job.pk)
    assert done == [7]


def test_work_that_takes_its_worker_with_it_is_parked() -> None:
    """A dead worker can't say anything: its job is found running with nobody at it."""
    job = jobs.schedule("remember", 7)
    for _ in range(MOST_FAULTS):
        job.refresh_from_db()
        Job.objects.filter(pk=job.pk).update(state="running", attempts=job.attempts + 1, faults=job.faults + 1)
    aged(job, minutes=2)
    assert jobs.offer_stale() == 1
    job.refresh_from_db()
    assert (job.state, job.error, done) == ("parked", "the worker that was at it stopped before it had ended", [])


def test_a_job_that_somebody_is_at_is_neither_done_twice_nor_offered() -> None:
    job = jobs.schedule("remember", 7)
    Job.objects.filter(pk=job.pk).update(state="running", attempts=1)
    aged(job, days=1)
    with connections.create_connection("default").cursor() as other:
        other.execute("SELECT pg_advisory_lock(%s, %s)", [JOB_LOCK, job.pk])
        try:
            jobs.run(job.pk)
            assert (jobs.offer_stale(), done) == (0, [])
        finally:
            other.execute("SELECT pg_advisory_unlock(%s, %s)", [JOB_LOCK, job.pk])
            other.connection.close()
    assert (jobs.offer_stale(), done) == (1, [7])


def test_time_and_memory_that_ran_out_are_said_in_words() -> None:
    for error, word in ((SoftTimeLimitExceeded(), "780 seconds"), (MemoryError(), "KB_WORKER_MEMORY_MB")):
        trouble[:] = [error]
        assert word in attempts(jobs.schedule("remember", 7), 1).error


def slow(argument: int | None) -> None:
    for number in range(1, 4):
        report(number, 3)
        job = Job.objects.get(state="running")
        done.append(job.progress)


def test_a_long_job_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HANDLERS, "slow", Work(f"{__name__}.slow"))
    monkeypatch.setattr(working, "REPORT_EVERY", timedelta(0))
    job = jobs.schedule("slow")
    jobs.run(job.pk)
    assert done == [1, 2, 3]
    job.refresh_from_db()
    assert (job.progress, job.total) == (3, 3)
    assert job.finished_at is not None
    report(1, 2)


def test_what_is_gathered_waits_in_the_bulk_queue() -> None:
    with jobs.gathering():
        assert jobs.schedule("remember", 7).queue == "bulk"
    assert jobs.schedule("remember", 7).queue == "interactive"


def test_the_clock_asks_once_until_it_is_done(commit: Callable) -> None:
    trouble.append("no")
    for _ in range(3):
        with commit():
            ask_for("remember")
    assert Job.objects.count() == 1
    trouble.clear()
    jobs.run(Job.objects.get().pk)
    with commit():
        ask_for("remember")
    assert Job.objects.count() == 2


def test_sessions_that_have_ended_are_swept_out() -> None:
    now = timezone.now()
    for key, age in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now + timedelta(days=age))
    jobs.run(jobs.schedule("maintenance").pk)
    assert list(Session.objects.values_list("session_key", flat=True)) == ["new"]
