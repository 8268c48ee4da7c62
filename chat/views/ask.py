"""The page for asking. It works without scripts; with them the same address streams what it does, then the answer."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import date
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from chat import asking, services, sse, streaming
from chat.services import Event
from chat.throttle import TooMany, counted
from chat.views import pages, streamed
from documents.problems import MEDIA_TYPE, Problem, problem_of

REFRESH_SECONDS = 2


class QuestionForm(forms.Form):
    """`token` is the form's own: sent twice, it is asked once. `em` keeps the day that was switched to."""

    question = forms.CharField(required=False, strip=False)
    on = forms.DateField(required=False)
    em = forms.DateField(required=False)
    conversation = forms.UUIDField(required=False)
    token = forms.UUIDField(required=False)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponseBase:
    """The page, or a question: answered by a redirect to its place, so that a reload never asks again.

    With `Accept: text/event-stream` the events `status`, `claim` and `done` bring words and HTML instead, and a refusal
    is a problem. A refused form keeps what was typed, with a status of its own.
    """
    if request.method != "POST":
        return _opened(request)
    as_stream = request.get_preferred_type(["text/html", sse.MEDIA_TYPE]) == sse.MEDIA_TYPE
    form = QuestionForm(request.POST)
    if not form.is_valid():
        return _refused(request, form, 422, _sentences(form), as_stream=as_stream)
    try:
        return _streamed(request, form.cleaned_data) if as_stream else _redirected(request, form.cleaned_data)
    except Exception as error:
        if isinstance(error, asking.StillAsked) and not as_stream:
            return redirect("attempt", form.cleaned_data["token"])
        problem = problem_of(error)
        if problem is None:
            raise
        return _refused(request, form, problem.status, [problem.detail], problem=problem, as_stream=as_stream)


@login_required
@never_cache
@require_safe
def attempt(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """How the sending of one form stands: over to its answer, a page that looks again, or that it came to nothing.

    As JSON for the page's script: `{"state": "done" | "running" | "failed", "url"}`.
    """
    try:
        held = asking.found(pages.user_of(request), token)
    except services.NotFound as error:
        raise Http404 from error
    url = pages.address(held.conversation_id, held.evidence_id) if held.conversation_id else "/"
    state = "done" if held.evidence_id else "failed" if held.failed else "running"
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        return JsonResponse({"state": state, "url": url})
    if state == "done":
        return HttpResponseRedirect(url)
    page = render(request, "chat/attempt.html", {"state": state})
    if state == "running":
        page.headers["Refresh"] = str(REFRESH_SECONDS)
    return page


def _opened(request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get("conversa")
    if wanted is None:
        return pages.chat_page(request)
    try:
        return pages.chat_page(request, uuid.UUID(wanted))
    except (ValueError, services.NotFound) as error:
        raise Http404 from error


def _events(request: HttpRequest, asked: dict[str, Any]) -> Iterator[Event]:
    if not counted(request.user.pk):  # type: ignore[arg-type]
        raise TooMany
    return asking.ask_once(
        pages.user_of(request),
        asked["question"],
        token=asked["token"] or uuid.uuid4(),
        on=asked["on"],
        conversation=asked["conversation"],
    )


def _redirected(request: HttpRequest, asked: dict[str, Any]) -> HttpResponse:
    done = services.answer_of(_events(request, asked))
    return HttpResponseRedirect(streamed.place(request, done))


def _streamed(request: HttpRequest, asked: dict[str, Any]) -> HttpResponseBase:
    return streaming.response(streamed.shown(request, _events(request, asked)))


def _refused(
    request: HttpRequest,
    form: QuestionForm,
    status: int,
    refusals: list[str],
    *,
    as_stream: bool,
    problem: Problem | None = None,
) -> HttpResponse:
    if as_stream:
        return _problem(problem or Problem("invalid", status, " ".join(refusals)))
    conversation: uuid.UUID | None = form.cleaned_data.get("conversation")
    on: date | None = form.cleaned_data.get("on")
    kept = {
        "refusals": refusals,
        "question": request.POST.get("question", ""),
        "on": on.isoformat() if on else request.POST.get("on", ""),
        "token": form.cleaned_data.get("token") or uuid.uuid4(),
    }
    try:
        return pages.chat_page(request, conversation, status=status, kept=kept)
    except services.NotFound:  # the next question begins a new one
        return pages.chat_page(request, status=status, kept=kept)


def _problem(problem: Problem) -> JsonResponse:
    return JsonResponse(problem.body(), status=problem.status, content_type=MEDIA_TYPE)


def _sentences(form: QuestionForm) -> list[str]:
    return [
        _("Write the date as day/month/year.") if field in ("on", "em") else str(error)
        for field, errors in form.errors.items()
        for error in errors
    ]
