"""The day and the moment that processes compare are the database's, whatever the clock of their host says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from chat.services import answer_of, ask
from documents import clock, propagation
from documents.models import Propagation, Revision
from documents.search.converge import converge
from governance.actions import retire
from tests import factories
from tests.documents.search.corpus import Shelf

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[timedelta(hours=25), timedelta(hours=-25), timedelta(hours=1)], ids=str)
def off(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> timedelta:
    """This host's clock is so far from the right time."""
    offset: timedelta = request.param
    monkeypatch.setattr(timezone, "now", lambda: datetime.now(tz=UTC) + offset)
    return offset


def test_moment_and_day_do_not_follow_the_host(off: timedelta) -> None:
    assert abs(clock.now() - datetime.now(tz=UTC)) < timedelta(minutes=5)
    assert clock.today() == timezone.localdate(clock.now())
    if abs(off) > timedelta(days=1):
        assert clock.today() != timezone.localdate()


def test_a_text_retired_on_one_host_is_gone_on_every_other(off: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf().fill()
    converge(Revision.objects.values_list("pk", flat=True))
    question = "Qual é o prazo de separação?"
    assert answer_of(ask(shelf.employee, question))["status"] == "answered"
    retire(shelf.new.pk, actor=shelf.owner, reason="r")
    monkeypatch.undo()
    assert answer_of(ask(shelf.employee, question))["status"] == "not_found"


def test_a_change_is_measured_by_one_clock(off: timedelta) -> None:
    revision = factories.revision(factories.document("norma"))
    [row] = propagation.expect_all(Propagation.Action.PUBLISH, [(revision.document, revision)])
    assert abs(row.committed_at - datetime.now(tz=UTC)) < timedelta(minutes=5)
