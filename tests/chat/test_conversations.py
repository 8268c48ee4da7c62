"""A conversation goes on over the service, and is its person's alone."""

from __future__ import annotations

import uuid

import pytest
from django.contrib.auth.models import User

from chat import services
from chat.models import Conversation, EvidenceQuestion, EvidenceRecord
from chat.rules.types import Turn
from tests import factories
from tests.chat.portal import PICKING, PICKING_Q, ask, published, quotes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def corpus() -> None:
    published("ops-cd-sp", PICKING)


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


def test_a_first_question_begins_a_conversation(ana: User) -> None:
    answer = ask(ana, PICKING_Q)
    held = Conversation.objects.get(pk=answer["conversation"])
    assert (held.user, held.title) == (ana, PICKING_Q)
    asked, said = held.messages.all()
    assert (asked.role, asked.text, asked.evidence_id) == ("user", PICKING_Q, None)
    assert (said.role, str(said.evidence_id)) == ("assistant", answer["evidence"])
    assert said.text == "\n".join(claim["text"] for claim in answer["claims"])


def test_a_follow_up_is_understood_by_what_was_asked_before(ana: User) -> None:
    first = ask(ana, "qual o prazo de separação de pedidos do CD-RJ?")
    answer = ask(ana, "e do CD-SP?", conversation=first["conversation"])
    assert answer["conversation"] == first["conversation"]
    assert answer["standalone_question"] == "qual o prazo de separação de pedidos do CD-SP?"
    assert "quatro horas" in quotes(answer)[0]
    assert Conversation.objects.get().messages.count() == 4
    kept = EvidenceQuestion.objects.get(record_id=answer["evidence"])
    assert [turn["role"] for turn in kept.history] == ["user", "assistant"]


def test_without_a_conversation_the_question_stands_alone(ana: User) -> None:
    ask(ana, PICKING_Q)
    assert ask(ana, "e do CD-SP?")["standalone_question"] == "e do CD-SP?"


@pytest.mark.parametrize("name", ["somebody else's", "missing", "no id"])
def test_somebody_elses_conversation_is_missing(ana: User, name: str) -> None:
    other = factories.person()
    conversation = {
        "somebody else's": ask(other, PICKING_Q)["conversation"],
        "missing": str(uuid.uuid4()),
        "no id": "1 OR 1=1",
    }[name]
    before = EvidenceRecord.objects.count()
    with pytest.raises(services.NotFound) as refusal:
        ask(ana, "e do CD-SP?", conversation=conversation)
    assert str(refusal.value) == "Essa conversa não existe."
    assert EvidenceRecord.objects.count() == before


def test_only_the_last_messages_count(ana: User) -> None:
    history = [Turn("user", f"pergunta número {number}?") for number in range(50)]
    answer = ask(ana, PICKING_Q, history=history)
    kept = EvidenceQuestion.objects.get(record_id=answer["evidence"]).history
    assert [turn["text"] for turn in kept] == [turn.text for turn in history[-services.REMEMBERED :]]


def test_a_conversation_deleted_on_the_way_stays_deleted(ana: User) -> None:
    conversation = ask(ana, PICKING_Q)["conversation"]
    events = services.ask(ana, PICKING_Q, conversation=conversation)
    next(events)
    Conversation.objects.all().delete()
    answer = services.answer_of(events)
    assert answer["status"] == "answered"
    assert not Conversation.objects.exists()


def test_a_conversation_goes_with_its_person_and_the_evidence_stays(ana: User) -> None:
    answer = ask(ana, PICKING_Q)
    ana.delete()
    assert not Conversation.objects.exists()
    assert EvidenceRecord.objects.filter(id=answer["evidence"]).exists()
