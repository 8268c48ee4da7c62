"""Work asked for outlives whatever carries it, may be done twice, and never harms who asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from kombu import pools

from documents import jobs
from documents.models import Job
from documents.tasks import offer_stale_jobs, run_job
from kbportal.celery import app

done: list[int | None] = []
trouble: list[str] = []


def remember(argument: int | None) -> None:
    """The handler of these tests: fails while there is trouble."""
    if trouble:
        raise RuntimeError(trouble[0])
    done.append(argument)


@pytest.fixture(autouse=True)
def handler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(jobs.HANDLERS, "remember", f"{__name__}.remember")
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
    url = app.conf.broker_url
    app.conf.broker_url, app.conf.broker_connection_timeout = "redis://127.0.0.1:1/0", 0.2
    app.conf.broker_transport_options = {"socket_connect_timeout": 0.2}
    _forget_connections()
    yield
    app.conf.broker_url = url
    _forget_connections()


def _forget_connections() -> None:
    pools.reset()
    app._pool = None
    app.amqp._producer_pool = None


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


def test_a_queued_job_reaches_the_worker_by_its_id(queue: None, commit: Callable) -> None:
    with commit():
        job = jobs.schedule("remember", 7)
    with app.connection_for_read() as connection:
        message = connection.SimpleQueue("celery").get(timeout=5)
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
        ("running", 1, {"minutes": 14}, False),
        ("running", 1, {"minutes": 16}, True),
        ("done", 1, {"days": 2}, False),
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
        aged(Job.objects.create(kind="remember", state="running", attempts=1), minutes=5),
    ]
    offer_stale_jobs()
    assert set(Job.objects.all()) == set(kept)
    assert old not in Job.objects.all()


def test_the_clock_of_the_worker_offers_stale_jobs() -> None:
    tasks = {entry["task"] for entry in django_settings.CELERY_BEAT_SCHEDULE.values()}
    assert offer_stale_jobs.name in tasks


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
    assert all(callable(import_string(path)) for path in jobs.HANDLERS.values())
