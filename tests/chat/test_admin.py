"""Evidence in the admin: auditors list it and are led to its page; nobody changes it."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.models import EvidenceRecord
from tests import factories
from tests.chat.portal import ask

pytestmark = pytest.mark.django_db
LIST = "/admin/chat/evidencerecord/"


@pytest.fixture
def record() -> EvidenceRecord:
    ask(factories.person("ana"), "<i>qual o prazo?</i> meu CPF é 529.982.247-25")
    return EvidenceRecord.objects.get()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def auditor() -> Client:
    return signed_in(factories.person("lucas", roles=["auditor"], is_staff=True))


def test_an_auditor_lists_records_that_lead_to_their_page(auditor: Client, record: EvidenceRecord) -> None:
    told = auditor.get(LIST).content.decode()
    assert f'href="/evidencias/{record.id}/"' in told
    assert "&lt;i&gt;qual o prazo?" in told
    assert "529.982.247-25" not in html.unescape(told)
    assert auditor.get(f"{LIST}{record.pk}/change/").headers["Location"] == f"/evidencias/{record.id}/"
    assert auditor.get(f"{LIST}99/change/").headers["Location"] == LIST
    assert auditor.get(f"{LIST}?status__exact=blocked").status_code == 200


@pytest.mark.parametrize("address", ["add/", "1/delete/"])
def test_nobody_adds_or_deletes_a_record(auditor: Client, record: EvidenceRecord, address: str) -> None:
    assert auditor.post(LIST + address).status_code == 403
    assert EvidenceRecord.objects.count() == 1


@pytest.mark.parametrize("attributes", [{"roles": ["indexer"]}, {"is_superuser": True}, {"roles": ["approver"]}])
def test_for_others_there_is_no_list(record: EvidenceRecord, attributes: dict[str, object]) -> None:
    person = factories.person(is_staff=True, **attributes)  # type: ignore[arg-type]
    assert signed_in(person).get(LIST).status_code == 403


def test_the_list_costs_the_same_however_long_it_is(
    auditor: Client, record: EvidenceRecord, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        ask(factories.person(), f"pergunta {number}?")
    with django_assert_max_num_queries(15):
        auditor.get(LIST)
