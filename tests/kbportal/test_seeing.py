"""Seeing the portal as another person: what they get, nothing that one may not read oneself, and always on record."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from chat.models import EvidenceRecord
from chat.seeing import look
from documents.errors import DomainError
from documents.reader import reader_of
from documents.rules.types import Reason
from governance.models import AuditEvent
from tests import factories
from tests.chat.portal import PAYROLL, PAYROLL_Q, PICKING, PICKING_Q, published
from tests.governance.desk import client_of

pytestmark = pytest.mark.django_db
PAGE = "/admin/ver-como/"
SECRET = "doze por cento"


@pytest.fixture(autouse=True)
def portal() -> None:
    cache.clear()
    bruno = factories.person("bruno", areas=["operacoes"], is_staff=True)
    factories.person("lucas", roles=["auditor"], is_staff=True)
    factories.person("ana", groups=["equipe"])
    factories.person("diretor", groups=["equipe", "diretoria"])
    factories.person("visitor", is_staff=True)
    factories.person("admin", is_staff=True, is_superuser=True)
    published("ops-cd-sp", PICKING, owner=bruno, readers=["group:equipe"])
    published("folha", PAYROLL, owner=factories.person("maria"), readers=["group:diretoria"], area_slug="rh")


def named(username: str) -> User:
    return User.objects.get(username=username)


def seen(actor: str, person: str, question: str = "", **more: str) -> Any:
    return look(named(person), actor=named(actor), reason="a complaint", question=question, **more)


def told(actor: str, person: str, question: str) -> str:
    response = client_of(actor).post(PAGE, {"person": person, "question": question, "reason": "a complaint"})
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.usefixtures("one_minute")
def test_a_look_counts_among_the_questions_a_minute(settings: Any) -> None:
    settings.KB_QUESTIONS_A_MINUTE = 1
    assert "quatro horas" in told("bruno", "ana", PICKING_Q)
    refused = told("bruno", "ana", PICKING_Q)
    assert "quatro horas" not in refused
    assert "Pedidos demais" in refused
    assert AuditEvent.objects.filter(verb="access.seen_as").count() == 1


def test_an_auditor_sees_the_answer_and_the_words_of_what_both_may_read() -> None:
    found = seen("lucas", "ana", PICKING_Q).answer
    assert (found.status, found.whole) == ("answered", True)
    assert [source.code for _text, sources in found.claims for source in sources] == ["ops-cd-sp"]
    assert all(not text for text, _sources in found.claims), "an auditor reads no text by being one"
    shown = told("lucas", "diretor", PAYROLL_Q)
    assert "folha@v1" in shown
    assert SECRET not in shown


def test_an_owner_sees_what_comes_from_texts_that_both_may_read() -> None:
    found = seen("bruno", "ana", PICKING_Q).answer
    assert (found.status, found.whole) == ("answered", False)
    assert all(text and sources[0].quote for text, sources in found.claims)
    assert "quatro horas" in told("bruno", "ana", PICKING_Q)


def test_an_owner_learns_nothing_of_texts_that_are_not_theirs_to_read() -> None:
    """Whether the director gets an answer that bruno may not read looks like no answer at all."""
    readable, nothing = seen("bruno", "diretor", PAYROLL_Q), seen("bruno", "ana", PAYROLL_Q)
    for found in (readable, nothing):
        assert found.answer.status == "not_found"
        assert (found.answer.claims, found.answer.others) == ((), ())
    shown = told("bruno", "diretor", PAYROLL_Q)
    assert "folha" not in shown
    assert SECRET not in shown
    assert [row.code for row in readable.rows] == ["ops-cd-sp"], "the list holds what bruno answers for"


def test_the_list_says_what_the_person_reads_and_why_not() -> None:
    rows = {row.code: row.reason for row in seen("lucas", "ana").rows}
    assert rows == {"ops-cd-sp": Reason.ELIGIBLE, "folha": Reason.NO_PERMISSION}
    assert [row.code for row in seen("lucas", "ana", words="folha").rows] == ["folha"]


def test_every_look_is_in_the_trail_and_every_answer_on_record() -> None:
    found = seen("lucas", "ana", PICKING_Q)
    event = AuditEvent.objects.get()
    assert (event.verb, event.target) == ("access.seen_as", f"reader:{reader_of(named('ana')).key}")
    assert (str(event.actor), event.reason) == (reader_of(named("lucas")).key, "a complaint")
    assert event.after["evidence"] == found.answer.evidence
    record = EvidenceRecord.objects.get()
    assert str(record.reader_key) == reader_of(named("lucas")).key, "Ana never asked this"
    assert record.body["reader"]["groups"] == sorted(reader_of(named("ana")).named_groups), "it was answered as to her"
    seen("bruno", "ana", PICKING_Q)
    own = EvidenceRecord.objects.latest("sequence")
    assert str(own.reader_key) == reader_of(named("bruno")).key, "no answer that ana could have got"
    seen("bruno", "ana")
    assert AuditEvent.objects.count() == 3


@pytest.mark.parametrize("actor", ["visitor", "admin", "ana", "diretor"])
def test_it_is_for_auditors_and_those_in_charge(actor: str) -> None:
    with pytest.raises(DomainError):
        seen(actor, "bruno")
    if named(actor).is_staff:
        assert client_of(actor).get(PAGE).status_code == 404
    assert not AuditEvent.objects.exists()


def test_nothing_is_seen_without_a_reason_or_of_who_is_not_there() -> None:
    User.objects.filter(username="diretor").update(is_active=False)
    for form in ({"reason": " "}, {"person": "nobody"}, {"person": "diretor"}, {"question": "x" * 5000}):
        response = client_of("lucas").post(PAGE, {"person": "ana", "question": PICKING_Q, "reason": "x"} | form)
        assert response.context["look"] is None, form
    assert not AuditEvent.objects.exists()
    assert not EvidenceRecord.objects.exists()


def test_nothing_is_shown_where_it_could_not_be_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("chat.seeing.audit.record", broken)
    with pytest.raises(RuntimeError):
        seen("lucas", "ana", PICKING_Q)
