"""The chat over HTTP: questions, answered whole or as a stream, and a person's own conversations."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from ninja import Query, Router, Status

from chat import answers, conversations, services, sse, streaming
from chat.models import Conversation
from chat.schemas import Answer, ConversationDetail, ConversationPage, Question
from chat.throttle import QuestionsAMinute
from documents.reader import reader_of

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
    return streaming.response(events)


@router.get("/conversations", response=ConversationPage)
def list_conversations(
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
    """One of the caller's own, with its messages in order: of answers what the caller may still read."""
    user: User = request.auth  # type: ignore[attr-defined]
    held = conversations.own(user, conversation_id)
    messages = answers.still_said(list(held.messages.all()), user, reader_of(user))
    return {"id": held.pk, "title": held.title, "created_at": held.created_at, "messages": messages}


@router.delete("/conversations/{uuid:conversation_id}", response={204: None})
def delete_conversation(request: HttpRequest, conversation_id: uuid.UUID) -> Status[None]:
    """Forget one of the caller's own, with the questions in their words. The evidence of its answers stays."""
    conversations.delete(request.auth, conversation_id)  # type: ignore[attr-defined]
    return Status(204, None)


def _address(request: HttpRequest, page: int) -> str:
    query = request.GET.copy()
    query["page"] = str(page)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
