"""Asking a recorded question again: the same answer right after, and the reason for every other one."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from chat.models import EvidenceQuestion, EvidenceRecord
from chat.replay import Replay, replay
from chat.rules import abstain
from chat.rules.types import Turn
from documents.models import Document, ReaderIdentity
from documents.rules.types import Window
from governance.actions import access, publication
from governance.actions.precedence import RuleData, create_rule
from governance.rules.precedence import PrecedenceKind
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, ask, published
from tests.chat.test_services_statuses import RIVALS, RIVALS_Q

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return factories.person("ana", groups=["equipe"])


@pytest.fixture
def document() -> Document:
    return published("ops-cd-sp", PICKING, readers=["group:equipe"])


def again(answer: Any) -> Replay:
    before = EvidenceRecord.objects.count()
    result = replay(EvidenceRecord.objects.get(id=answer["evidence"]))
    assert EvidenceRecord.objects.count() == before, "nobody asked"
    return result


@pytest.mark.parametrize(
    ("question", "status"),
    [
        (PICKING_Q, "answered"),
        (f"{PICKING_Q[:-1]} em 10/03/2025?", "answered"),
        ("qual era o prazo de separação de pedidos antigamente?", "needs_date"),
        ("xyzzy plugh?", "not_found"),
    ],
)
def test_right_after_the_answer_is_the_same(ana: User, document: Document, question: str, status: str) -> None:
    answer = ask(ana, question)
    result = again(answer)
    assert (answer["status"], result.status_then, result.status_now) == (status, status, status)
    assert result.on_then == result.on_now
    assert (result.differs, result.reasons, result.changes, result.versions) == (False, (), (), {})


def test_a_follow_up_is_replayed_in_its_conversation(ana: User, document: Document) -> None:
    history = [Turn("user", "qual o prazo de separação de pedidos do CD-RJ?")]
    answer = ask(ana, "e do CD-SP?", history=history)
    assert answer["status"] == "answered"
    assert not again(answer).differs


def test_a_retirement_is_the_reason(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    publication.retire(document.revisions.get().pk, actor=approver, reason="substituída")
    result = again(answer)
    assert (result.differs, result.status_now, result.eligible_now) == (True, "not_found", ())
    assert result.eligible_then == ("ops-cd-sp@v1",)
    assert result.reasons == ("ops-cd-sp@v1: eligible → retired",)


def test_a_new_revision_is_the_reason(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    today = timezone.localdate()
    document.revisions.update(validity=(date(2025, 1, 1), today))
    portal.revise(document, "v2", PICKING.replace("quatro", "seis"), start=today)
    result = again(answer)
    assert result.differs
    assert result.quotes_now[0] == result.quotes_then[0].replace("quatro", "seis")
    assert result.reasons == (
        "ops-cd-sp@v1: eligible → superseded",
        "ops-cd-sp@v2: not a candidate → eligible",
    )


def test_a_revoked_permission_is_the_reason(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    access.set_readers(document.pk, [], actor=document.owner, reason="restrita")
    assert again(answer).reasons == ("ops-cd-sp@v1: eligible → no_permission",)


@pytest.mark.parametrize("kind", PrecedenceKind)
def test_a_rule_of_precedence_is_the_reason(ana: User, kind: PrecedenceKind) -> None:
    owner = factories.person()
    one, other = (
        published(code, text, owner=owner, subjects=["paletes"]) for code, text in zip("ab", RIVALS, strict=True)
    )
    answer = ask(ana, RIVALS_Q)
    assert answer["status"] == "conflict"
    assert not again(answer).differs
    create_rule(RuleData(other, one, owner, kind, Window(date(2025, 1, 1), None)), actor=owner, reason="norma")
    result = again(answer)
    assert (result.differs, result.status_now) == (True, "answered")
    if kind is PrecedenceKind.MANDATORY:
        assert result.reasons == ("a@v1: eligible → lower_precedence",)
        assert result.cited_now == ("b",)


def test_other_sources_of_a_conflict_are_another_answer(ana: User) -> None:
    owner = factories.person()
    one, _other = (
        published(code, text, owner=owner, subjects=["paletes"]) for code, text in zip("ab", RIVALS, strict=True)
    )
    answer = ask(ana, RIVALS_Q)
    portal.published("c", RIVALS[0].replace("15", "45"), owner=owner, subjects=["paletes"])
    access.set_readers(one.pk, [], actor=owner, reason="restrita")
    result = again(answer)
    assert (result.status_then, result.status_now, result.differs) == ("conflict", "conflict", True)
    assert result.cited_then == ("a", "b")
    assert set(result.cited_now) == {"b", "c"}


def test_another_part_is_the_reason(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    portal.calibrate(2.0, 3.0)
    result = again(answer)
    assert result.reasons == (f"thresholds: {abstain.DEFAULT.version} → test-2.0-3.0",)


def test_a_question_about_a_date_is_asked_about_that_date(ana: User, document: Document) -> None:
    today = timezone.localdate()
    answer = ask(ana, PICKING_Q, on=today - timedelta(30))
    document.revisions.update(validity=(date(2025, 1, 1), today))
    result = again(answer)
    assert (result.on_now, result.differs) == (today - timedelta(30), False)


def test_the_person_of_now_is_asked_for_not_the_one_of_then(ana: User, document: Document) -> None:
    answer = ask(ana, PICKING_Q)
    ana.groups.clear()
    assert again(answer).status_now == "not_found"


def test_a_forgotten_person_is_replayed_by_the_keys_of_the_record(ana: User, document: Document) -> None:
    history = [Turn("user", "qual o prazo de separação de pedidos do CD-RJ?")]
    answers = [ask(ana, PICKING_Q), ask(ana, "e do CD-SP?", history=history)]
    EvidenceQuestion.objects.all().delete()
    ReaderIdentity.objects.all().delete()
    ana.delete()
    for answer in answers:
        result = again(answer)
        assert (result.status_now, result.differs) == ("answered", False)
