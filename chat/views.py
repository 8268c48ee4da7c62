"""The page for asking: a form, the answer with its quotes, and what was said before. It works without scripts."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any, cast

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from chat import services
from chat.models import Message
from chat.rules.types import Status
from chat.schemas import Answer
from chat.throttle import counted
from documents.errors import DomainError
from documents.problems import problem_of

SHOWN_BEFORE = 6
"""Messages of the conversation above the answer."""
STILL_ASKED = frozenset({Status.NEEDS_DATE, Status.UNAVAILABLE})
"""Statuses after which the same question is sent again, so it stays in its box."""


class TooMany(DomainError):
    code = "throttled"
    status = 429


class QuestionForm(forms.Form):
    question = forms.CharField(required=False, strip=False)
    on = forms.DateField(required=False)
    conversation = forms.UUIDField(required=False)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """The empty form, or what its question came to; a refusal has its own HTTP status and keeps what was typed."""
    if request.method != "POST":
        return render(request, "chat/ask.html")
    form = QuestionForm(request.POST)
    user = cast("User", request.user)
    valid = form.is_valid()
    on: date | None = form.cleaned_data.get("on")
    conversation: uuid.UUID | None = form.cleaned_data.get("conversation")
    page: dict[str, Any] = {
        "turns": _turns(user, conversation),
        "question": request.POST.get("question", ""),
        "on": on.isoformat() if on else request.POST.get("on", ""),
        "conversation": conversation,
    }
    if not valid:
        page["refusals"] = _sentences(form)
        return render(request, "chat/ask.html", page, status=422)
    try:
        answer = _answer(user, form.cleaned_data)
    except Exception as error:
        problem = problem_of(error)
        if problem is None:
            raise
        page["refusals"] = [problem.detail]
        if isinstance(error, services.NotFound):
            page["conversation"] = None  # the next question begins a new one
        return render(request, "chat/ask.html", page, status=problem.status)
    page |= {"answer": answer, "conversation": answer.conversation}
    if answer.status not in STILL_ASKED:
        page |= {"question": "", "on": ""}
    return render(request, "chat/ask.html", page)


def _answer(user: User, asked: dict[str, Any]) -> Answer:
    if not counted(user.pk):
        raise TooMany(_("Too many requests: wait a moment."))
    conversation = asked["conversation"]
    events = services.ask(
        user, asked["question"], on=asked["on"], conversation=str(conversation) if conversation else None
    )
    return Answer.model_validate(services.answer_of(events))


def _turns(user: User, conversation: uuid.UUID | None) -> list[Message]:
    """The last messages of the person's own conversation, in order; none of anybody else's."""
    said = Message.objects.filter(conversation=conversation, conversation__user=user).order_by("-pk")
    return list(reversed(said[:SHOWN_BEFORE])) if conversation else []


def _sentences(form: QuestionForm) -> list[str]:
    return [
        _("Write the date as day/month/year.") if field == "on" else str(error)
        for field, errors in form.errors.items()
        for error in errors
    ]
