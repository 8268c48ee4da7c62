"""Events of the chat as an HTTP stream, one step at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import structlog
from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils import translation

from chat import sse
from chat.services import Event
from documents.problems import problem_of, server_error

log = structlog.get_logger(__name__)


def response(events: Iterator[Event]) -> StreamingHttpResponse:
    """A stream that ends in `done`, or in one `error` whose data is a problem.

    The first event is awaited here, so that what is refused outright raises and gets an HTTP status of its own.
    """
    first = next(events)
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
