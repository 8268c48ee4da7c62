"""Pages for reading documents. Who sees what is the API's rule; hidden and missing are the same 404."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from documents.filters import DocumentFilter
from documents.models import Document, Revision, Section
from documents.querysets import DocumentQuerySet
from documents.reader import reader_of
from documents.rules.types import Reader
from governance.permissions import readable_documents, readable_revisions

ON_A_PAGE = 50
SPAN = re.compile(r"(\d{1,18}):(\d{1,9})-(\d{1,9})", re.ASCII)


class Standing(StrEnum):
    """How a text stands today, for the banner above it."""

    CURRENT = "current"
    FUTURE = "future"
    PAST = "past"
    RETIRED = "retired"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A section cut at the ends of the marked quote; `level` is that of its HTML heading, 2 to 6."""

    anchor: str
    level: int
    heading: list[Part]
    body: list[Part]


@login_required
@never_cache
@require_safe
def documents(request: HttpRequest) -> HttpResponse:
    """What the reader may read, fifty to a page, narrowed by the words of `q`."""
    words = request.GET.get("q", "").replace("\0", "").strip()
    found = DocumentFilter({"search": words}, _documents(_reader(request))).qs.order_by("title", "code")
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "documents/list.html", {"page": page, "q": words})


@login_required
@never_cache
@require_safe
def document(request: HttpRequest, code: str) -> HttpResponse:
    """The revision in force; without one that the reader may read, what is known of the document."""
    held = get_object_or_404(_documents(_reader(request)), code=code)
    current: list[Revision] = held.current  # type: ignore[attr-defined]
    return _page(request, held, current[0].pk if current else None)


@login_required
@never_cache
@require_safe
def revision(request: HttpRequest, code: str, label: str) -> HttpResponse:
    """One revision, whether in force or not."""
    held = get_object_or_404(_documents(_reader(request)), code=code)
    opened = get_object_or_404(readable_revisions(_reader(request)), document=held, label=label)
    return _page(request, held, opened.pk)


def standing(revision: Revision, today: date) -> Standing:
    """Where today lies in the window of a decided revision."""
    window = revision.in_force
    if revision.state == Revision.State.APPROVED and revision.validity and today < revision.validity.lower:
        return Standing.FUTURE
    if revision.state not in (Revision.State.PUBLISHED, Revision.State.RETIRED):
        return Standing.DRAFT
    if window and today in window:
        return Standing.CURRENT
    if window and window.lower and today < window.lower:
        return Standing.FUTURE
    return Standing.RETIRED if revision.state == Revision.State.RETIRED else Standing.PAST


def cut(text: str, start: int, end: int, marked: tuple[int, int]) -> list[Part]:
    """`text[start:end]` in pieces, of which those inside `marked` (offsets in `text`) are to be marked."""
    first, last = (min(max(place, start), end) for place in marked)
    pieces = [(start, first, False), (first, last, True), (last, end, False)]
    return [Part(text[begin:until], mark) for begin, until, mark in pieces if begin < until]


def _reader(request: HttpRequest) -> Reader:
    return reader_of(cast("AbstractBaseUser", request.user))


def _documents(reader: Reader) -> DocumentQuerySet:
    light = readable_revisions(reader).defer("text", "pages", "warnings")
    current = Prefetch("revisions", light.in_force(timezone.localdate()), to_attr="current")
    readable = Prefetch("revisions", light.order_by("-id"), to_attr="readable")
    return readable_documents(reader).select_related("area", "owner").prefetch_related(current, readable)


def _page(request: HttpRequest, held: Document, opened: int | None) -> HttpResponse:
    """`held` comes from `_documents`, and `opened` is a revision of it that the reader may read."""
    page: dict[str, object] = {"document": held}
    if opened is not None:
        shown = Revision.objects.get(pk=opened)
        marked = _marked(request.GET.get("trecho", ""), shown)
        sections = [_shown(section, shown.text, marked) for section in shown.sections.all()]
        page |= {"revision": shown, "standing": standing(shown, timezone.localdate()), "sections": sections}
    return render(request, "documents/revision.html", page)


def _marked(span: str, revision: Revision) -> tuple[int, int]:
    """The quote's span in the text; an empty one when `span` is not of this revision."""
    match = SPAN.fullmatch(span)
    if match is None or int(match[1]) != revision.pk:
        return 0, 0
    start, end = int(match[2]), int(match[3])
    return (start, end) if start < end <= len(revision.text) else (0, 0)


def _shown(section: Section, text: str, marked: tuple[int, int]) -> Shown:
    end = section.body_start + len(text[section.body_start : section.end].rstrip())
    return Shown(
        section.anchor,
        min(max(section.level + 1, 2), 6),
        cut(text, section.start, section.body_start, marked),
        cut(text, section.body_start, end, marked),
    )
