"""Precedence rules as rows: who sets them, what the database refuses, what the rule then decides."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from documents.errors import DomainError
from documents.models import Document
from documents.reader import reader_of
from documents.rules.types import Window
from governance.actions.precedence import RuleData, change_rule, create_rule, data_of
from governance.models import AuditEvent, PrecedenceRule
from governance.rules.precedence import PrecedenceKind, decide
from tests import factories

pytestmark = pytest.mark.django_db
JAN, JUN = date(2026, 1, 1), date(2026, 6, 1)


@pytest.fixture
def maria() -> User:
    return factories.person("maria")


@pytest.fixture
def national(maria: User) -> Document:
    return factories.document("politica-viagem", owner=maria, area_slug="rh")


@pytest.fixture
def local() -> Document:
    return factories.document("viagem-filial-sul", owner=factories.person())


@pytest.fixture
def data(national: Document, local: Document, maria: User) -> RuleData:
    return RuleData(national, local, maria, PrecedenceKind.MANDATORY, Window(JAN, None), except_units=["POA"])


def refusal(act: object, *arguments: object, **named: object) -> str:
    with pytest.raises(DomainError) as caught:
        act(*arguments, **named)  # type: ignore[operator]
    return caught.value.code


def test_a_rule_decides_as_it_was_set(data: RuleData, maria: User) -> None:
    rule = create_rule(data, actor=maria, reason="the national text prevails")
    facts = PrecedenceRule.objects.in_force(JUN).facts()
    sao_paulo, poa = reader_of(factories.person(units=["CD-SP"])), reader_of(factories.person(units=["POA"]))
    ruling = decide(facts, "viagem-filial-sul", "politica-viagem", sao_paulo, JUN)
    assert ruling is not None
    assert (ruling.prevails, ruling.rules) == ("politica-viagem", (rule.pk,))
    ruling = decide(facts, "viagem-filial-sul", "politica-viagem", poa, JUN)
    assert ruling is not None
    assert ruling.prevails == "viagem-filial-sul"
    assert PrecedenceRule.objects.in_force(date(2025, 1, 1)).facts() == ()


def test_who_answers_for_either_text_may_set_it(data: RuleData, national: Document, local: Document) -> None:
    for person in (factories.person(), factories.person(areas=["ti"], roles=["approver"])):
        assert refusal(create_rule, data, actor=person, reason="mine") == "forbidden"
    approver = factories.person(areas=["rh"], roles=["approver"])
    create_rule(data, actor=approver, reason="agreed")


def test_a_pair_has_one_rule_at_a_time(data: RuleData, maria: User) -> None:
    rule = create_rule(data, actor=maria, reason="first")
    assert refusal(create_rule, data, actor=maria, reason="second") == "conflict"
    ended = replace(data_of(rule), validity=Window(JAN, JUN))
    assert change_rule(rule.pk, ended, actor=maria, reason="ended") is True
    create_rule(replace(data, validity=Window(JUN, None)), actor=maria, reason="again")
    assert [event.verb for event in AuditEvent.objects.order_by("position")] == [
        "precedence.created", "precedence.changed", "precedence.created",
    ]  # fmt: skip


def test_the_same_rule_again_changes_nothing(data: RuleData, maria: User) -> None:
    rule = create_rule(data, actor=maria, reason="first")
    assert change_rule(rule.pk, data, actor=maria, reason="first") is False


def test_rules_that_prevail_over_one_another_are_refused(data: RuleData, maria: User) -> None:
    create_rule(data, actor=maria, reason="first")
    turned = replace(data, prevails=data.over, over=data.prevails)
    assert refusal(create_rule, turned, actor=maria, reason="no") == "precedence_cycle"
    assert refusal(create_rule, replace(data, over=data.prevails), actor=maria, reason="no") == "invalid"


@pytest.mark.parametrize(("window", "code"), [(Window(None, JUN), "no_start"), (Window(JUN, JAN), "empty_window")])
def test_a_rule_has_a_window(data: RuleData, maria: User, window: Window, code: str) -> None:
    assert refusal(create_rule, replace(data, validity=window), actor=maria, reason="r") == code


def test_the_database_refuses_the_same(national: Document, local: Document, maria: User) -> None:
    values = {"owner": maria, "kind": "mandatory", "reason": "r", "validity": DateRange(JAN, None, "[)")}
    PrecedenceRule.objects.create(prevails=national, over=local, **values)
    for constraint, change in [
        ("one_at_a_time", {"prevails": national, "over": local}),
        ("not_over_itself", {"prevails": national, "over": national}),
        ("has_a_reason", {"prevails": local, "over": national, "reason": ""}),
        ("has_a_start", {"prevails": local, "over": national, "validity": DateRange(None, JUN, "[)")}),
    ]:
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            PrecedenceRule.objects.create(**(values | change))
