"""A web process that could answer nothing does not start, and says what to run."""

from __future__ import annotations

import pytest
from django.test import Client, override_settings

from documents.models import IndexVersion
from documents.search import active
from documents.search.base import EngineUnavailable, IndexOutdated
from documents.search.postgres import Engine
from kbportal.checks import index_problem, refuse_unreadable_index


class OutdatedEngine(Engine):
    def size(self, version: int) -> int:
        raise IndexOutdated("made by another version: run `manage.py reindex`")


class DownEngine(Engine):
    def size(self, version: int) -> int:
        raise EngineUnavailable("no answer")


def using(name: str) -> override_settings:
    parts = {
        "engine": {"BACKEND": f"tests.kbportal.test_start.{name}"},
        "embedder": {"BACKEND": "documents.embedders.hashing.Embedder", "OPTIONS": {"dimensions": 384}},
    }
    return override_settings(KB_BACKENDS=parts)


@pytest.fixture
def index(db: None) -> IndexVersion:
    return active.first(active.engine(), active.embedder())


def test_an_index_of_today_and_none_at_all_let_it_start(db: None) -> None:
    assert index_problem() == ""
    active.first(active.engine(), active.embedder())
    assert index_problem() == ""


def test_rules_or_an_engine_of_another_version_do_not(index: IndexVersion) -> None:
    IndexVersion.objects.update(rules="older")
    assert "run `manage.py reindex`" in index_problem()
    IndexVersion.objects.update(rules=active.rules(), engine="other")
    assert "run `manage.py reindex`" in index_problem()


@pytest.mark.parametrize(
    ("engine", "problem", "health"),
    [("OutdatedEngine", "manage.py reindex", "outdated"), ("DownEngine", "", "unreachable")],
)
def test_a_mapping_of_another_version_stops_the_start_and_an_engine_that_is_down_does_not(
    index: IndexVersion, client: Client, engine: str, problem: str, health: str
) -> None:
    """What is down may be back at the first question; until then the rest of the portal serves."""
    with using(engine):
        assert problem in index_problem()
        assert bool(problem) == bool(index_problem())
        answer = client.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    assert answer.json()["parts"]["engine"] == health


@pytest.mark.django_db(transaction=True)
def test_the_refusal_is_one_line(index: IndexVersion) -> None:
    refuse_unreadable_index()
    with using("OutdatedEngine"), pytest.raises(SystemExit, match=r"^The portal does not start: .*reindex`$"):
        refuse_unreadable_index()
