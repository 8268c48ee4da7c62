"""What a text box suggests while one types: readers, people, documents. Each for those who may use it there."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q
from django.http import Http404, HttpRequest, JsonResponse

from documents.admin import person_of
from documents.querysets import DocumentQuerySet
from governance.admin.home import may_draft
from governance.admin_actions import signed_in
from governance.permissions import configures, draftable_documents, known_documents
from governance.readership import SUGGESTED, people_named, suggestions


def readers(request: HttpRequest) -> JsonResponse:
    """For who may change the readers of something: the names of groups and people are not for everybody."""
    _check_drafts(request)
    return _suggested(suggestions(words_of(request)))


def people(request: HttpRequest) -> JsonResponse:
    """Usernames with names, for who may name an owner."""
    if not configures(signed_in(request), person_of(request)):
        _check_drafts(request)
    return _suggested(people_named(words_of(request)))


def drafted(request: HttpRequest) -> JsonResponse:
    """Documents for which the person may write a draft."""
    return _suggested(_matching(draftable_documents(person_of(request)), words_of(request)))


def known(request: HttpRequest) -> JsonResponse:
    """Documents that the person may know of."""
    return _suggested(_matching(known_documents(signed_in(request), person_of(request)), words_of(request)))


def words_of(request: HttpRequest, name: str = "q") -> str:
    """What was typed into the box of that name."""
    return request.GET.get(name, "").replace("\0", "").strip()[:100]


def _check_drafts(request: HttpRequest) -> None:
    if not may_draft(request, person_of(request)):
        raise Http404


def _matching(rows: DocumentQuerySet, words: str) -> list[tuple[str, str]]:
    for word in words.split():
        rows = rows.filter(Q(code__icontains=word) | Q(title__icontains=word))
    return list(rows.order_by("code").values_list("code", "title")[:SUGGESTED])


def _suggested(found: Sequence[tuple[str, str]]) -> JsonResponse:
    return JsonResponse({"results": [{"value": value, "label": label} for value, label in found]})
