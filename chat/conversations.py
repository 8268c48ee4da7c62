"""A person's own conversations: to read, to name and to forget. Somebody else's is missing."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from chat.models import Conversation, EvidenceQuestion, Message
from chat.services import NotFound
from documents.errors import DomainError

LONGEST_TITLE = 200


class BadTitle(DomainError):
    code = "bad_title"
    status = 422


@dataclass(frozen=True, slots=True)
class Turns:
    """Questions of a conversation by the evidence of their answers, oldest first, and how many came before these."""

    questions: Mapping[uuid.UUID, str]
    earlier: int


def of(user: User) -> QuerySet[Conversation]:
    """All of the person's own, the one that was last spoken in first."""
    spoken = Coalesce(Max("messages__created_at"), "created_at")
    return Conversation.objects.filter(user=user).annotate(spoken_at=spoken).order_by("-spoken_at", "-created_at")


def own(user: User, conversation: uuid.UUID) -> Conversation:
    """Raises `NotFound`."""
    held = Conversation.objects.filter(pk=conversation, user=user).first()
    if held is None:
        raise NotFound(_("There is no such conversation."))
    return held


def turns(conversation: Conversation, most: int) -> Turns:
    """The last `most` questions that have an answer."""
    answers = conversation.messages.filter(evidence_id__isnull=False)
    first = answers.order_by("-pk").values_list("pk", flat=True)[most - 1 : most].first()
    since = conversation.messages.filter(pk__gte=first - 1) if first else conversation.messages.all()
    return Turns(_paired(since.order_by("pk")), answers.filter(pk__lt=first).count() if first else 0)


def question_of(user: User, evidence: uuid.UUID) -> tuple[str, uuid.UUID] | None:
    """The person's own words that this record answers, and their conversation; None where they were deleted."""
    said = Message.objects.filter(evidence_id=evidence, conversation__user=user).first()
    if said is None:
        return None
    before = Message.objects.filter(conversation=said.conversation_id, role=Message.Role.USER, pk__lt=said.pk)
    asked = before.order_by("-pk").first()
    return (asked.text if asked else ""), said.conversation_id


def rename(user: User, conversation: uuid.UUID, title: str) -> Conversation:
    """Raises `NotFound`, and `BadTitle` for one that is empty or too long."""
    title = " ".join(title.replace("\0", "").split())
    if not title or len(title) > LONGEST_TITLE:
        raise BadTitle(_("Write a title of at most %(most)d characters.") % {"most": LONGEST_TITLE})
    held = own(user, conversation)
    held.title = title
    held.save(update_fields=["title"])
    return held


def delete(user: User, conversation: uuid.UUID) -> None:
    """Forget the conversation and the questions in the person's words. The evidence of its answers stays."""
    with transaction.atomic():
        held = own(user, conversation)
        answered = held.messages.filter(evidence_id__isnull=False).values("evidence_id")
        EvidenceQuestion.objects.filter(record_id__in=answered).delete()
        held.delete()


def _paired(said: QuerySet[Message]) -> dict[uuid.UUID, str]:
    questions: dict[uuid.UUID, str] = {}
    asked = ""
    for message in said:
        if message.evidence_id is None:
            asked = message.text
        else:
            questions[message.evidence_id] = asked
    return questions
