"""The chat over HTTP: questions, answered whole or as a stream, and a person's own conversations."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import structlog
from asgiref.sync import sync_to_async
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from ninja import Query, Router, Status

from chat import services, sse
from chat.models import Conversation
from chat.schemas import Answer, ConversationDetail, ConversationPage, Question
from chat.services import Event
from chat.throttle import QuestionsAMinute
from documents.problems import problem_of, server_error

log = structlog.get_logger(__name__)
router = Router(tags=["chat"])
EXAMPLE = """event: status
data: {"step":"searching","n":2}

event: claim
data: {"text":"…","citations":[…]}

event: done
data: {"status":"answered",…}

"""
STREAM = {
    "responses": {200: {"content": {sse.MEDIA_TYPE: {"schema": {"type": "string"}, "example": EXAMPLE}}}},
}


@router.post("/ask", response=Answer, throttle=QuestionsAMinute(), openapi_extra=STREAM)
def ask(request: HttpRequest, payload: Question, trace: bool = False) -> HttpResponseBase:
    """Ask as the caller. Every status of an answer is 200; `trace=1` is for auditors.

    With `Accept: text/event-stream` the answer comes as the events `status`, `claim` and `done`, or ends in one
    `error` whose data is a problem.
    """
    events = services.ask(
        request.auth,  # type: ignore[attr-defined]
        payload.question,
        on=payload.on,
        conversation=payload.conversation,
        with_trace=trace,
    )
    if request.get_preferred_type(["application/json", sse.MEDIA_TYPE]) != sse.MEDIA_TYPE:
        return JsonResponse(services.answer_of(events), headers={"Cache-Control": "no-store"})
    first = next(events)  # what is refused outright is refused with a status of its own
    return StreamingHttpResponse(
        _messages(first, events, translation.get_language()),
        content_type=sse.MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _messages(first: Event, events: Iterator[Event], language: str) -> AsyncIterator[bytes]:
    """The stream, one step at a time in the request's own thread, so that its database connection stays the same."""
    event: Event | None = first
    try:
        while event is not None:
            yield sse.message(event.name, event.data)
            event = await sync_to_async(_next)(events, language)
    finally:
        await sync_to_async(events.close)()  # type: ignore[attr-defined]


def _next(events: Iterator[Event], language: str) -> Event | None:
    with translation.override(language):
        try:
            return next(events, None)
        except Exception as error:
            problem = problem_of(error)
            if problem is None:
                log.exception("an answer failed on its way")
            return Event("error", (problem or server_error()).body())


@router.get("/conversations", response=ConversationPage)
def conversations(
    request: HttpRequest, page: int = Query(1, ge=1), page_size: int = Query(50, ge=1, le=200)
) -> dict[str, Any]:
    """The caller's own, newest first."""
    own = Conversation.objects.filter(user=request.auth)  # type: ignore[attr-defined]
    try:
        held = Paginator(own, page_size).page(page)
    except EmptyPage as error:
        raise Http404 from error
    return {
        "count": held.paginator.count,
        "next": _address(request, page + 1) if held.has_next() else None,
        "previous": _address(request, page - 1) if held.has_previous() else None,
        "results": list(held),
    }


@router.get("/conversations/{uuid:conversation_id}", response=ConversationDetail)
def conversation(request: HttpRequest, conversation_id: uuid.UUID) -> dict[str, Any]:
    """One of the caller's own, with its messages in order."""
    held = _own(request, conversation_id)
    return {"id": held.pk, "title": held.title, "created_at": held.created_at, "messages": list(held.messages.all())}


@router.delete("/conversations/{uuid:conversation_id}", response={204: None})
def delete_conversation(request: HttpRequest, conversation_id: uuid.UUID) -> Status[None]:
    """Forget one of the caller's own. The evidence of its answers stays."""
    _own(request, conversation_id).delete()
    return Status(204, None)


def _own(request: HttpRequest, conversation_id: uuid.UUID) -> Conversation:
    held = Conversation.objects.filter(pk=conversation_id, user=request.auth).first()  # type: ignore[attr-defined]
    if held is None:
        raise services.NotFound(_("There is no such conversation."))
    return held


def _address(request: HttpRequest, page: int) -> str:
    query = request.GET.copy()
    query["page"] = str(page)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
