"""`/metrics` for Prometheus: what each process counts, and what the database knows of the whole portal.

The second half is read from the tables at each scrape, so that any process of any machine says the same of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta

import structlog
from django.db import DatabaseError
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from chat.metrics import Answers
from documents import propagation
from documents.models import Alarm, IndexVersion, Job, Propagation
from documents.rules.types import Risk
from documents.working import ENDED

log = structlog.get_logger(__name__)
BUCKETS = (0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0)
"""Seconds; the objectives of the risk classes are among them."""


def export(request: HttpRequest) -> HttpResponse:
    body = generate_latest(_of_processes()) + generate_latest(_OF_THE_PORTAL)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


def _of_processes() -> CollectorRegistry:
    """Of this process, or of all web processes of the machine where `PROMETHEUS_MULTIPROC_DIR` is their folder."""
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


class Tables(Collector):
    def collect(self) -> Iterator[Metric]:
        try:
            found = [*_jobs(), *_propagation(), *_alarms(), *_index()]
        except DatabaseError as error:
            log.warning("the database can't be read for metrics", error=str(error))
            found = []
        yield from found
        yield GaugeMetricFamily("kb_tables_readable", "1 where the database answered this scrape", value=bool(found))
        if found:  # what is down is waited for once
            yield from Answers().collect()


def _jobs() -> Iterator[Metric]:
    jobs = GaugeMetricFamily("kb_jobs", "Jobs that have not ended well, by queue and state", labels=["queue", "state"])
    counted = {
        (row["queue"], row["state"]): row["n"]
        for row in Job.objects.exclude(state=Job.State.DONE).values("queue", "state").annotate(n=Count("pk")).order_by()
    }
    for queue in Job.Queue.values:
        for state in Job.State.values:
            if state != Job.State.DONE:
                jobs.add_metric([queue, state], counted.get((queue, state), 0))
    yield jobs
    age = GaugeMetricFamily("kb_jobs_oldest_seconds", "How long the oldest job waits, by queue", labels=["queue"])
    first = dict(Job.objects.exclude(state__in=ENDED).order_by().values_list("queue").annotate(first=Min("created_at")))
    now = timezone.now()
    for queue in Job.Queue.values:
        age.add_metric([queue], (now - first[queue]).total_seconds() if queue in first else 0)
    yield age


def _propagation() -> Iterator[Metric]:
    seconds = HistogramMetricFamily(
        "kb_propagation_seconds",
        "From the commit of a change until a layer agrees, over the changes of the last 24 hours",
        labels=["layer", "risk"],
    )
    since = timezone.now() - timedelta(days=1)
    for layer in propagation.LAYERS:
        taken: dict[Risk, list[float]] = {risk: [] for risk in Risk}
        for risk, spent in propagation.durations(layer, since):
            taken[risk].append(max(0.0, spent))
        for risk, values in taken.items():
            buckets = [(str(most), float(sum(value <= most for value in values))) for most in BUCKETS]
            seconds.add_metric([layer, str(risk)], [*buckets, ("+Inf", float(len(values)))], sum(values))
    yield seconds
    late = GaugeMetricFamily(
        "kb_propagation_late", "Changes of the last 24 hours that came late or are", labels=["risk"]
    )
    still = GaugeMetricFamily("kb_propagation_open", "Changes that some layer does not agree to yet", labels=["risk"])
    rows = Propagation.objects.filter(committed_at__gte=since)
    counted = dict(rows.late(timezone.now()).order_by().values_list("risk").annotate(n=Count("pk")))  # type: ignore[attr-defined]
    waiting = dict(Propagation.objects.filter(agreed_at=None).order_by().values_list("risk").annotate(n=Count("pk")))
    for risk in Risk:
        late.add_metric([str(risk)], counted.get(risk, 0))
        still.add_metric([str(risk)], waiting.get(risk, 0))
    yield late
    yield still


def _alarms() -> Iterator[Metric]:
    alarms = GaugeMetricFamily("kb_alarm", "What an open alarm counts; 0 without one", labels=["kind"])
    counted = dict(Alarm.objects.filter(closed_at=None).values_list("kind", "count"))
    for kind in Alarm.Kind.values:
        alarms.add_metric([kind], counted.get(kind, 0))
    yield alarms


def _index() -> Iterator[Metric]:
    entries = GaugeMetricFamily("kb_index_entries", "Passages in the index version", labels=["version", "state"])
    kept = IndexVersion.objects.exclude(state=IndexVersion.State.DROPPED)
    for row in kept:
        entries.add_metric([str(row), row.state], row.entries)
    yield entries


_OF_THE_PORTAL = CollectorRegistry()
_OF_THE_PORTAL.register(Tables())
