"""What Prometheus reads of answers is what the dashboards show."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection, transaction
from prometheus_client import CollectorRegistry, generate_latest

from chat import recorder, verification
from chat.metrics import Answers
from chat.models import ChainCheck, Feedback
from chat.rules.outcome import Outcome, Versions
from chat.rules.types import Status, Usage
from documents.reader import reader_of
from governance.models import OwnerTask
from tests import factories

pytestmark = pytest.mark.django_db
VERSIONS = Versions("r", "i", "p", "v", "t", "e", "g", "k", "w")


def scraped() -> dict[str, float]:
    registry = CollectorRegistry()
    registry.register(Answers())
    lines = generate_latest(registry).decode().splitlines()
    return {name: float(value) for name, _space, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


def test_answers_are_told_by_status_with_time_tokens_and_cost() -> None:
    ana = factories.person()
    for status, cached in ((Status.ANSWERED, False), (Status.ANSWERED, True), (Status.NOT_FOUND, False)):
        outcome = Outcome(
            status, "q", "q", date(2026, 11, 30), "current", cached=cached, usage=Usage(10, 4, 2, 0.5),
            timings={"generate": 1.0, "total": 250.0},
        )  # fmt: skip
        record = recorder.record(outcome, VERSIONS, reader_of(ana), ())
    Feedback.objects.create(user=ana, evidence_id=record.id, kind="refused_wrongly")
    OwnerTask.objects.create(kind="question")
    told = scraped()
    assert told['kb_questions_total{status="answered"}'] == 2
    assert told['kb_questions_total{status="not_found"}'] == 1
    assert told['kb_questions_total{status="blocked"}'] == 0
    assert told['kb_answer_seconds_today{quantile="0.95",step="total"}'] == 0.25
    assert told['kb_tokens_today{kind="prompt"}'] == 30
    assert told["kb_cost_today"] == 1.5
    assert told['kb_generations_today{source="cache"}'] == 1
    assert told['kb_generations_today{source="generator"}'] == 2
    assert told['kb_objections_total{kind="refused_wrongly"}'] == 1
    assert told['kb_owner_tasks_open{kind="question"}'] == 1


def test_a_portal_without_questions_tells_zeros() -> None:
    told = scraped()
    assert told['kb_questions_total{status="answered"}'] == 0
    assert told["kb_cost_today"] == 0


def test_a_database_that_does_not_answer_is_no_fault_of_the_page() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE chat_evidencerecord RENAME TO gone")
        assert scraped() == {}
        transaction.set_rollback(True)


def test_a_broken_chain_is_told_by_its_last_walk() -> None:
    assert not any(name.startswith("kb_chain") for name in scraped()), "nothing is known before the first walk"
    verification.work(None)
    assert scraped()['kb_chain_breaks{chain="evidence"}'] == 0
    ChainCheck.objects.filter(chain="audit").update(broken=2, first_broken=7)
    found = scraped()
    assert found['kb_chain_breaks{chain="audit"}'] == 2
    assert found['kb_chain_verified_seconds{chain="audit"}'] > 0
