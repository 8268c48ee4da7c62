"""What Prometheus reads of the portal comes from the tables, whichever process answers."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from documents.models import Alarm, IndexVersion, Job, Propagation
from kbportal.embedded.paths import ROOT
from tests import factories

pytestmark = pytest.mark.django_db


def scraped() -> dict[tuple[str, ...], float]:
    """Name and label values, in the order of the labels' names → value."""
    text = Client().get("/metrics").content.decode()
    return {
        (sample.name, *(value for _name, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_jobs_are_counted_by_queue_and_state() -> None:
    for state in ("waiting", "waiting", "parked", "done"):
        Job.objects.create(kind="converge", state=state)
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    told = scraped()
    assert told["kb_jobs", "interactive", "waiting"] == 2
    assert told["kb_jobs", "interactive", "parked"] == 1
    assert told["kb_jobs", "bulk", "waiting"] == 0
    assert told["kb_jobs_oldest_seconds", "interactive"] >= 300
    assert told["kb_tables_readable",] == 1


def test_propagation_is_a_histogram_by_layer_and_class() -> None:
    document, now = factories.document("manual"), timezone.now()
    for seconds in (0.2, 3, 100):
        moment = now + timedelta(seconds=seconds)
        Propagation.objects.create(
            action="retire", document=document, risk="high", committed_at=now, due_at=now + timedelta(seconds=5),
            index_at=moment, copies_at=moment, caches_at=moment, agreed_at=moment,
        )  # fmt: skip
    Propagation.objects.create(action="retire", document=document, risk="low", committed_at=now, due_at=now)
    told = scraped()
    buckets = [told["kb_propagation_seconds_bucket", "index", most, "high"] for most in ("0.5", "5.0", "60.0", "+Inf")]
    assert buckets == [1, 2, 2, 3]
    assert told["kb_propagation_seconds_sum", "index", "high"] == pytest.approx(103.2)
    assert (told["kb_propagation_late", "high"], told["kb_propagation_late", "low"]) == (1, 1)
    assert (told["kb_propagation_open", "high"], told["kb_propagation_open", "low"]) == (0, 1)


def test_alarms_and_index_versions_are_told() -> None:
    Alarm.objects.create(kind="drift", note="missing: 3", count=3)
    Alarm.objects.create(kind="late", note="x", count=9, closed_at=timezone.now())
    row = IndexVersion.objects.create(engine="postgres", dimensions=8, state="active", entries=7)
    told = scraped()
    assert (told["kb_alarm", "drift"], told["kb_alarm", "late"]) == (3, 0)
    assert told["kb_index_entries", "active", str(row)] == 7


def test_what_processes_count_is_there_too() -> None:
    assert any(name[0].startswith("django_http_requests") for name in scraped())


def test_with_several_web_processes_their_counts_are_added(tmp_path: Path) -> None:
    """Each process writes its counts to one folder; whichever is scraped adds them up."""
    code = (
        "import django; django.setup(); from prometheus_client import Counter; Counter('kb_probe', 'p').inc(2);"
        "from kbportal.metrics import _of_processes; from prometheus_client import generate_latest;"
        "print(generate_latest(_of_processes()).decode())"
    )
    env = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "kbportal.settings.test"}
    for expected in ("kb_probe_total 2.0", "kb_probe_total 4.0"):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True
        )
        assert expected in done.stdout
