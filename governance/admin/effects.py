"""What answers a publication would change: begun, followed and cancelled on the page of the revision."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from documents.admin import person_of
from documents.errors import DomainError
from documents.models import Revision
from governance import preview as previews
from governance.actions.preview import ask_for, cancel
from governance.admin.texts import known_revision
from governance.admin_actions import signed_in
from governance.models import Preview
from governance.permissions import known_documents, may
from governance.rules.moves import Duty


class StartForm(forms.Form):
    de = forms.DateField(required=False)


def fragment(request: HttpRequest, revision_id: int) -> HttpResponse:
    """The preview alone, for the script that follows its progress."""
    revision = known_revision(request, revision_id)
    if not may(person_of(request), revision.document, Duty.MANAGE):
        raise Http404
    context = shown(request, revision, start_of(request, revision))
    return render(request, "admin/governance/preview.html", context | {"revision": revision})


@require_POST
def preview(request: HttpRequest, revision_id: int) -> HttpResponse:
    """Begin a preview, begin it anew, or cancel it."""
    revision = known_revision(request, revision_id)
    start = start_of(request, revision)
    try:
        if "cancel" in request.POST:
            held = previews.current(revision, start)
            if held is not None:
                cancel(held.pk, actor=signed_in(request))
        else:
            ask_for(revision.pk, start, actor=signed_in(request), again="again" in request.POST)
    except DomainError as error:
        messages.error(request, str(error.message))
    url = reverse("admin:documents_revision_work", args=[revision.pk])
    return HttpResponseRedirect(f"{url}?de={start.isoformat()}#efeito")


def shown(request: HttpRequest, revision: Revision, start: date) -> dict[str, Any]:
    """The preview for the day with what the person may know of it, as the template takes them."""
    held = previews.current(revision, start)
    context: dict[str, Any] = {"start": start, "preview": held}
    if held is not None and held.state in (Preview.State.DONE, Preview.State.RUNNING):
        codes = previews.codes_of(held)
        known = (
            known_documents(signed_in(request), person_of(request))
            .filter(code__in=codes)
            .values_list("code", flat=True)
        )
        context["differences"] = previews.differences(held, frozenset(known) if codes else frozenset())
    return context


def start_of(request: HttpRequest, revision: Revision) -> date:
    """The day from which the text is meant to count: the one asked for, else the draft's, else today."""
    given = StartForm(request.POST if "de" in request.POST else request.GET)
    if given.is_valid() and given.cleaned_data["de"] is not None:
        chosen: date = given.cleaned_data["de"]
        return chosen
    planned: date | None = revision.validity.lower if revision.validity else None
    return planned or timezone.localdate()
