"""What the pages of the chat have in common: who asks, what a page shows, and refusals in words."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import cast

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from chat import answers, conversations, feedback, owners, services
from chat.answers import Shown
from chat.models import Conversation, EvidenceRecord, Feedback
from chat.owners import Recipient
from chat.suggestions import suggestions
from documents.reader import reader_of
from documents.rules.types import Reader

LISTED = 30
"""Conversations beside the page; the rest have a page of their own."""
TURNS = 20
"""Answers of a conversation on its page; earlier ones are one click away."""
ALL_TURNS = 500


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer on a page, with the forms that belong to it. `token` is for asking it again."""

    answer: Shown
    conversation: uuid.UUID | None
    last: bool
    sent_to: str = ""
    recipient: Recipient | None = None
    recipient_name: str = ""
    letter: str = ""
    letter_language: str = settings.LANGUAGE_CODE
    token: uuid.UUID = field(default_factory=uuid.uuid4)
    kinds: tuple[Feedback.Kind, ...] = feedback.OF_CLAIMS
    longest_comment: int = feedback.LONGEST_COMMENT

    @property
    def own(self) -> bool:
        return self.conversation is not None


def user_of(request: HttpRequest) -> User:
    return cast("User", request.user)


def chat_page(
    request: HttpRequest,
    conversation: uuid.UUID | None = None,
    *,
    status: int = 200,
    kept: Mapping[str, object] | None = None,
) -> HttpResponse:
    """The page for asking, with the person's conversation where one is given. Raises `services.NotFound`.

    `kept` is what a refused question keeps: `refusals`, `question`, `on`, `token`.
    """
    user = user_of(request)
    reader, as_of = reader_of(user), as_of_date(request)
    page: dict[str, object] = {
        "token": uuid.uuid4(),
        "as_of": as_of,
        "may_choose_day": reader.reads_history,
        "longest": services.LONGEST_QUESTION,
        **sidebar(user, conversation),
    }
    if conversation is not None:
        held = conversations.own(user, conversation)
        said = conversations.turns(held, ALL_TURNS if "tudo" in request.GET else TURNS)
        shown = answers.shown(said.questions, user, reader)
        page |= {"conversation": held, "turns": turns(shown, reader, held.pk), "earlier": said.earlier}
    else:
        code = request.GET.get("documento", "")
        page |= {"suggestions": suggestions(reader, code)}
    page.setdefault("question", request.GET.get("pergunta", "")[: services.LONGEST_QUESTION])
    return render(request, "chat/ask.html", page | dict(kept or {}), status=status)


def sidebar(user: User, current: uuid.UUID | None) -> dict[str, object]:
    held = list(conversations.of(user)[: LISTED + 1])
    return {"listed": held[:LISTED], "more_listed": len(held) > LISTED, "current": current}


def turns(shown: Sequence[Shown], reader: Reader, conversation: uuid.UUID) -> list[Turn]:
    """Each answer with what its template needs. Only the last one says who would get its question: it costs queries."""
    return [turn(one, reader, conversation, last=one is shown[-1]) for one in shown]


def turn(shown: Shown, reader: Reader, conversation: uuid.UUID | None, *, last: bool = True) -> Turn:
    """`conversation` is None for an auditor, who reads and does nothing."""
    page = Turn(
        shown, conversation, last, sent_to=answers.name_of(shown.sent.owner) if shown.sent and shown.sent.owner else ""
    )
    if shown.status not in owners.UNANSWERED or shown.sent is not None or not last:
        return page
    record = EvidenceRecord.objects.get(id=shown.evidence)
    to = owners.recipient(record, reader)
    if to is None:
        return page
    return replace(page, recipient=to, recipient_name=answers.name_of(to.person), letter=owners.letter(record))


def as_of_date(request: HttpRequest) -> date | None:
    """The day that a person with the role `history` has switched to; for others there is no switch."""
    text = request.GET.get("em", "") or request.POST.get("em", "")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if reader_of(user_of(request)).reads_history else None


def address(conversation: Conversation | uuid.UUID | str, evidence: object = "", as_of: date | None = None) -> str:
    """Where an answer stands in its conversation."""
    held = conversation.pk if isinstance(conversation, Conversation) else conversation
    query = {"conversa": str(held)} | ({"em": as_of.isoformat()} if as_of else {})
    return f"{reverse('ask')}?{urlencode(query)}" + (f"#resposta-{evidence}" if evidence else "")
