"""The events of an answer as its page takes them: words for what is being done, then the HTML that a reload shows."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat import answers, conversations
from chat.rules.answer import Json
from chat.services import Event
from chat.views import pages
from documents.reader import reader_of


def shown(request: HttpRequest, events: Iterator[Event]) -> Iterator[Event]:
    """Each event as the page wants it. The whole answer comes from the same template as after a reload."""
    try:
        for event in events:
            if event.name == "status":
                yield Event("status", {"text": _step(event.data)})
            elif event.name == "claim":
                claim = answers.verified(event.data)
                yield Event("claim", {"html": render_to_string("chat/claim.html", {"claim": claim}, request)})
            else:
                yield Event("done", _done(request, event.data))
    finally:
        events.close()  # type: ignore[attr-defined]


def _done(request: HttpRequest, done: Json) -> Json:
    user, evidence = pages.user_of(request), uuid.UUID(str(done["evidence"]))
    said = conversations.question_of(user, evidence)
    page: Json = {"url": place(request, done), "token": str(uuid.uuid4()), "conversation": done["conversation"]}
    if said is None:  # the conversation was deleted while its answer was made
        return page
    question, conversation = said
    reader = reader_of(user)
    (one,) = answers.shown({evidence: question}, user, reader)
    held = conversations.own(user, conversation)
    return page | {
        "html": render_to_string("chat/turn.html", {"turn": pages.turn(one, reader, conversation)}, request),
        "head": render_to_string("chat/head.html", {"conversation": held}, request),
        "listed": render_to_string("chat/listed.html", pages.sidebar(user, conversation), request),
        "title": held.title,
        "text": _ready(one),
    }


def place(request: HttpRequest, done: Json) -> str:
    """The address of the answer; that of the first page where its conversation is gone."""
    conversation = str(done["conversation"])
    return pages.address(conversation, done["evidence"], pages.as_of_date(request)) if conversation else "/"


def _step(data: Json) -> str:
    number = int(str(data["n"]))
    if data["step"] == "searching":
        return _("searching the base…")
    if data["step"] == "reading":
        return ngettext("reading %(n)d passage…", "reading %(n)d passages…", number) % {"n": number}
    return _("checking the citations…")


def _ready(shown: answers.Shown) -> str:
    """What a screen reader says once the answer is there."""
    number = sum(len(claim.citations) for claim in shown.claims)
    if number:
        return ngettext(
            "The answer is here, with %(n)d citation.", "The answer is here, with %(n)d citations.", number
        ) % {"n": number}
    return _("The answer is here, without a citation.")
