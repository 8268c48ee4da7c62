"""The pages of the evidence: an auditor sees how an answer came about, whoever asked sees their own answer."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import timedelta
from typing import TypeVar, cast

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat.askers import words_of
from chat.auditing import certificates, differences, exports, words
from chat.auditing.disclosure import Disclosure, disclosed, disclosed_of
from chat.auditing.filters import EvidenceFilter
from chat.auditing.inspection import inspect
from chat.models import EvidenceRecord
from chat.querysets import EvidenceQuerySet
from chat.replay import ReplayUnavailable, replay
from chat.throttle import TooMany, counted
from chat.verification import ask, standing
from documents.reader import reader_of
from documents.rules.types import Corpus, Reader, Role

Response = TypeVar("Response", bound=HttpResponseBase)

ON_A_PAGE = 50
REASONS_WITHIN = timedelta(days=30)
COUNTED = 1000
"""Records that are counted on a list: beyond it says "more than"."""


@login_required
@never_cache
@require_safe
def records(request: HttpRequest) -> HttpResponse:
    """The newest first, narrowed by the filters. `antes` is the place in the chain that the page ends before."""
    reader = _auditor(request)
    narrowed = _narrowed(request, reader)
    found: EvidenceQuerySet = narrowed.qs if narrowed.is_valid() else EvidenceRecord.objects.none()
    number = found.order_by()[: COUNTED + 1].count()
    before = request.GET.get("antes", "")
    if before.isascii() and before.isdecimal() and len(before) < 19:
        found = found.filter(sequence__lt=int(before))
    listed = list(found.light().order_by("-sequence")[: ON_A_PAGE + 1])
    query = request.GET.copy()
    query.pop("antes", None)
    page = {
        "filter": narrowed,
        "records": listed[:ON_A_PAGE],
        "number": min(number, COUNTED),
        "more": number > COUNTED,
        "older": listed[ON_A_PAGE - 1].sequence if len(listed) > ON_A_PAGE else None,
        "paged": before != "",
        "query": query.urlencode(),
        "narrowed": any(query.values()),
        "standing": standing(),
    }
    return render(request, "evidence/list.html", page)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def chains(request: HttpRequest) -> HttpResponse:
    """How both chains stand, for the script that follows a walk; sent, it asks for one in the background."""
    _auditor(request)
    if request.method == "POST":
        ask()
        return HttpResponseRedirect(reverse("evidence"))
    return render(request, "evidence/chains.html", {"standing": standing()})


@login_required
@never_cache
@require_safe
def record(request: HttpRequest, record_id: uuid.UUID) -> HttpResponse:
    """All that produced an answer for auditors, the answer alone for whoever asked, nothing for everybody else."""
    reader = _reader(request)
    held = _held(reader, record_id)
    if Role.AUDITOR not in reader.roles:
        return _own(request, held, reader)
    page = {
        "record": held,
        "seen": inspect(held, reader),
        "status": words.say(words.STATUS, held.status),
        "temporal": words.say(words.TEMPORAL, held.body["temporal"]),
        "corpora": [words.say(words.CORPUS, corpus) for corpus in Corpus],
    }
    return render(request, "evidence/record.html", page)


def _own(request: HttpRequest, held: EvidenceRecord, reader: Reader) -> HttpResponse:
    disclosure = disclosed(reader, [held])
    page = {
        "record": held,
        "question": words_of(held),
        "body": disclosure.body(held),
        "withheld": disclosure.withheld(held),
        "disclosure": disclosure,
        "status": words.say(words.STATUS, held.status),
        "missing": words.say(words.WHY_NOT, held.body["missing"] or ""),
    }
    return render(request, "evidence/own.html", page)


@login_required
@never_cache
@require_POST
def asked_again(request: HttpRequest, record_id: uuid.UUID) -> HttpResponse:
    """The replay of a record, with its difference in words. Nothing of it is recorded."""
    reader = _auditor(request)
    held = _held(reader, record_id)
    page: dict[str, object] = {"record": held, "status": words.say(words.STATUS, held.status)}
    try:
        if not counted(request.user.pk or 0):
            raise TooMany
        result = replay(held)
    except (TooMany, ReplayUnavailable) as error:
        page["refusal"] = error.message
        return render(request, "evidence/replay.html", page, status=error.status)
    disclosure = disclosed_of(reader, {*result.quoted_then, *result.quoted_now})
    page |= {
        "result": result,
        "headline": differences.headline(result),
        "sentences": differences.sentences(result),
        "status_now": words.say(words.STATUS, result.status_now),
        "quotes_then": _shown(result.quotes_then, result.quoted_then, disclosure),
        "quotes_now": _shown(result.quotes_now, result.quoted_now, disclosure),
    }
    return render(request, "evidence/replay.html", page)


@login_required
@never_cache
@require_safe
def certificate(request: HttpRequest, record_id: uuid.UUID) -> HttpResponse:
    """The certificate of one answer as a file, or the sentence that says why it can't be handed out."""
    reader = _auditor(request)
    held = _held(reader, record_id)
    try:
        issued = certificates.issue(held, reader)
    except (certificates.NotDisclosed, certificates.ChainBroken) as error:
        page = {"record": held, "refusal": error.message}
        return render(request, "evidence/refused.html", page, status=error.status)
    response = JsonResponse(issued, json_dumps_params={"ensure_ascii": False, "indent": 1})
    return _file(response, f"certificado-{held.id}.json")


@login_required
@never_cache
@require_safe
def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """The filtered records, oldest first, as they are read from the tables."""
    reader = _auditor(request)
    narrowed = _narrowed(request, reader)
    if form not in exports.FORMS or not narrowed.is_valid():
        raise Http404
    lines = exports.disclosed_to(reader, narrowed.qs, form)
    response = StreamingHttpResponse(_streamed(lines), content_type=exports.MEDIA_TYPES[form])
    extension = "csv" if form == "csv" else "jsonl"
    name = "evidencias-prov" if form == "prov" else "evidencias"
    return _file(response, f"{name}-{timezone.localdate().isoformat()}.{extension}")


async def _streamed(blocks: Iterator[str]) -> AsyncIterator[bytes]:
    """One block at a time in the request's own thread, so that its database connection stays the same."""
    language = translation.get_language()
    while (block := await sync_to_async(_next)(blocks, language)) is not None:
        yield block.encode()


def _next(blocks: Iterator[str], language: str) -> str | None:
    with translation.override(language):
        return next(blocks, None)


def _file(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _shown(quotes: Sequence[str], revisions: Sequence[str], disclosure: Disclosure) -> list[str | None]:
    """Each quote, or None where its document is not for whoever looks."""
    named = zip(quotes, revisions, strict=True)
    return [quote if revision in disclosure.quotable else None for quote, revision in named]


def _narrowed(request: HttpRequest, reader: Reader) -> EvidenceFilter:
    """Reasons lie inside the records: without a first day, the last month is looked at, and the form says so."""
    asked = request.GET.copy()
    if asked.get("reason") and not asked.get("since"):
        asked["since"] = (timezone.localdate() - REASONS_WITHIN).isoformat()
    return EvidenceFilter(asked, EvidenceRecord.objects.open_to(reader))


def _held(reader: Reader, record_id: uuid.UUID) -> EvidenceRecord:
    held: EvidenceRecord = get_object_or_404(EvidenceRecord.objects.open_to(reader), id=record_id)
    return held


def _auditor(request: HttpRequest) -> Reader:
    """Raises Http404: for everybody else these pages are not there."""
    reader = _reader(request)
    if not reader.active or Role.AUDITOR not in reader.roles:
        raise Http404
    return reader


def _reader(request: HttpRequest) -> Reader:
    return reader_of(cast("User", request.user))
