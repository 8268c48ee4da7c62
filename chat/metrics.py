"""What the tables know of questions and answers, for Prometheus: from the counts that the dashboards show."""

from __future__ import annotations

from collections.abc import Iterator

import structlog
from django.db import DatabaseError
from django.db.models import Count
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from chat.models import EvidenceRecord, Feedback
from chat.rules.chart import percentile
from chat.rules.types import Status
from chat.statistics.days import Day, days
from chat.verification import standing
from governance.models import OwnerTask

log = structlog.get_logger(__name__)
QUANTILES = (0.5, 0.95, 0.99)


class Answers(Collector):
    """`…_today` is of the day of the portal's time zone, and counted anew every few seconds."""

    def collect(self) -> Iterator[Metric]:
        try:
            today = timezone.localdate()
            [counted] = days(today, today)
            found = [*_totals(), *_chains(), *_of(counted)]
        except DatabaseError as error:
            log.warning("the database can't be read for the metrics of answers", error=str(error))
            found = []
        yield from found


def _totals() -> Iterator[Metric]:
    asked = CounterMetricFamily("kb_questions", "Questions that were recorded, by what they came to", labels=["status"])
    by_status = dict(EvidenceRecord.objects.order_by().values_list("status").annotate(n=Count("pk")))
    for status in Status:
        asked.add_metric([str(status)], by_status.get(status, 0))
    yield asked
    objected = CounterMetricFamily("kb_objections", "What readers said is wrong with an answer", labels=["kind"])
    by_kind = dict(Feedback.objects.order_by().values_list("kind").annotate(n=Count("pk")))
    for kind in Feedback.Kind.values:
        objected.add_metric([kind], by_kind.get(kind, 0))
    yield objected
    waiting = GaugeMetricFamily("kb_owner_tasks_open", "Tasks that wait for an owner", labels=["kind"])
    held = OwnerTask.objects.filter(state=OwnerTask.State.OPEN).order_by().values_list("kind").annotate(n=Count("pk"))
    by_task = dict(held)
    for kind in OwnerTask.Kind.values:
        waiting.add_metric([kind], by_task.get(kind, 0))
    yield waiting


def _chains() -> Iterator[Metric]:
    """By the last walk along each chain; none for a chain that was never walked."""
    broken = GaugeMetricFamily("kb_chain_breaks", "Places at which a chain of records does not hold", labels=["chain"])
    walked = GaugeMetricFamily("kb_chain_verified_seconds", "When a chain was last verified", labels=["chain"])
    for one in standing().chains:
        if one.last is not None and one.last.finished_at is not None:
            broken.add_metric([one.chain.value], one.last.broken)
            walked.add_metric([one.chain.value], one.last.finished_at.timestamp())
    yield broken
    yield walked


def _of(day: Day) -> Iterator[Metric]:
    seconds = GaugeMetricFamily(
        "kb_answer_seconds_today", "Time of each step of today's answers", labels=["step", "quantile"]
    )
    for step, values in day.timings.items():
        for quantile in QUANTILES:
            seconds.add_metric([step, f"{quantile:g}"], (percentile(values, quantile) or 0.0) / 1000)
    yield seconds
    tokens = GaugeMetricFamily("kb_tokens_today", "Tokens of today's questions", labels=["kind"])
    tokens.add_metric(["prompt"], day.prompt_tokens)
    tokens.add_metric(["cached"], day.cached_tokens)
    tokens.add_metric(["completion"], day.completion_tokens)
    yield tokens
    yield GaugeMetricFamily("kb_cost_today", "Cost of today's questions, in the currency of the prices", value=day.cost)
    made = GaugeMetricFamily("kb_generations_today", "Today's generations, by where they came from", labels=["source"])
    made.add_metric(["cache"], day.cached)
    made.add_metric(["generator"], day.generated - day.cached)
    yield made
