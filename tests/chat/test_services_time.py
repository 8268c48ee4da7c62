"""What is in force follows from dates in the portal's time zone: nothing has to fire at midnight."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import pytest
from django.contrib.auth.models import User

from documents.models import Document, Job, Revision
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, ask, published, quotes, the_time

__all__ = ["the_time"]
pytestmark = pytest.mark.django_db
NEW = PICKING.replace("quatro", "seis")
SetTime = Callable[[datetime], None]
CHANGE = date(2027, 3, 1)
BEFORE, AFTER = datetime(2027, 3, 1, 2, 59), datetime(2027, 3, 1, 3, 1)  # UTC; São Paulo is three hours behind


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


@pytest.fixture
def historian() -> User:
    return factories.person("helena", roles=["history"])


@pytest.fixture
def document(the_time: SetTime) -> Document:
    """v1 until 28/02/2027, v2 from 01/03/2027, both indexed long before."""
    the_time(datetime(2026, 11, 30, 12))
    made = published("ops-cd-sp", PICKING, until=CHANGE)
    portal.revise(made, "v2", NEW, start=CHANGE)
    return made


def test_a_new_revision_takes_over_at_midnight_in_sao_paulo(ana: User, document: Document, the_time: SetTime) -> None:
    the_time(BEFORE)
    old = ask(ana, PICKING_Q)
    the_time(AFTER)
    new = ask(ana, PICKING_Q)
    assert (old["on"], new["on"]) == ("2027-02-28", "2027-03-01")
    assert "quatro horas" in quotes(old)[0]
    assert "seis horas" in quotes(new)[0]
    assert {cited["revision"] for claim in new["claims"] for cited in claim["citations"]} == {"v2"}
    assert not Job.objects.exists(), "nothing fired"


def test_what_ends_without_a_successor_ends_at_midnight(ana: User, the_time: SetTime) -> None:
    the_time(datetime(2026, 11, 30, 12))
    published("ops-cd-sp", PICKING, until=CHANGE)
    the_time(BEFORE)
    assert ask(ana, PICKING_Q)["status"] == "answered"
    the_time(AFTER)
    assert ask(ana, PICKING_Q)["status"] == "not_found"


def test_a_retirement_in_the_future_holds_from_its_day(ana: User, the_time: SetTime) -> None:
    the_time(datetime(2026, 11, 30, 12))
    owner = factories.person()
    made = factories.document("ops-cd-sp", owner=owner, readers=["group:todos"])
    portal.revise(made, "v1", PICKING, state="retired", start=date(2025, 1, 1), retired_on=CHANGE)
    the_time(BEFORE)
    assert ask(ana, PICKING_Q)["status"] == "answered"
    the_time(AFTER)
    assert ask(ana, PICKING_Q)["status"] == "not_found"


def test_a_question_about_the_future_is_answered_from_what_will_hold(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q, on=CHANGE)
    assert (answer["status"], answer["temporal"]) == ("answered", "future")
    assert "seis horas" in quotes(answer)[0]
    asked = ask(ana, "a partir de março de 2027, qual será o prazo de separação de pedidos do CD-SP?")
    assert (asked["on"], asked["temporal"]) == ("2027-03-01", "future")
    assert "seis horas" in quotes(asked)[0]


def test_an_approved_text_for_a_future_day_answers_nothing_before_it_is_published(
    ana: User, document: Document
) -> None:
    Revision.objects.filter(label="v2").update(state="approved")
    assert ask(ana, PICKING_Q, on=CHANGE)["status"] == "not_found"


def test_a_past_day_is_answered_from_the_revision_of_then(ana: User, document: Document, the_time: SetTime) -> None:
    the_time(datetime(2027, 6, 1, 12))
    answer = ask(ana, PICKING_Q, on=date(2026, 11, 30))
    assert (answer["status"], answer["temporal"]) == ("answered", "past")
    assert "quatro horas" in quotes(answer)[0]
    [cited] = answer["claims"][0]["citations"]
    assert (cited["revision"], cited["valid_until"]) == ("v1", "2027-03-01")


def test_the_past_of_a_closed_history_needs_the_role(
    ana: User, historian: User, document: Document, the_time: SetTime
) -> None:
    Document.objects.update(history="role")
    the_time(datetime(2027, 6, 1, 12))
    assert ask(ana, PICKING_Q, on=date(2026, 11, 30))["status"] == "not_found"
    assert "quatro horas" in quotes(ask(historian, PICKING_Q, on=date(2026, 11, 30)))[0]
    assert ask(ana, PICKING_Q)["status"] == "answered"


def test_a_retired_document_needs_the_role_whatever_its_history(ana: User, historian: User, the_time: SetTime) -> None:
    the_time(datetime(2026, 11, 30, 12))
    made = factories.document("ops-cd-sp", owner=factories.person(), readers=["group:todos"], history="readers")
    portal.revise(made, "v1", PICKING, state="retired", start=date(2025, 1, 1), retired_on=date(2026, 1, 1))
    then = date(2025, 6, 1)
    assert ask(ana, PICKING_Q, on=then)["status"] == "not_found"
    assert ask(historian, PICKING_Q, on=then)["status"] == "answered"
    assert ask(historian, PICKING_Q)["status"] == "not_found"


def test_a_cached_answer_ends_with_its_revision(ana: User, document: Document, the_time: SetTime) -> None:
    the_time(BEFORE)
    assert ask(ana, PICKING_Q)["status"] == ask(ana, PICKING_Q)["status"] == "answered"
    the_time(AFTER)
    assert "quatro horas" not in str(ask(ana, PICKING_Q))
