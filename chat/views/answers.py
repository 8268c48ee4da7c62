"""One answer at an address of its own, what its reader objects to, and its question sent to an owner."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat import answers, conversations, feedback, owners
from chat.models import EvidenceRecord
from chat.views import pages
from documents.errors import DomainError
from documents.reader import reader_of
from documents.rules.types import Role


@login_required
@never_cache
@require_safe
def answer(request: HttpRequest, evidence: uuid.UUID) -> HttpResponse:
    """For who asked, while their conversation is kept, and for auditors; for everybody else it is not there."""
    user = pages.user_of(request)
    reader, said = reader_of(user), conversations.question_of(user, evidence)
    if said is None and Role.AUDITOR not in reader.roles:
        raise Http404
    question, conversation = said or ("", None)
    shown = answers.shown({evidence: question}, user, reader)
    if not shown:
        raise Http404
    page = {"turn": pages.turn(shown[0], reader, conversation), "conversation": conversation}
    return render(request, "chat/answer_page.html", page)


@login_required
@require_POST
def send(request: HttpRequest, evidence: uuid.UUID) -> HttpResponse:
    """The question into the inbox of the owner, as the page showed it."""

    def act(record: EvidenceRecord) -> str:
        task = owners.send(record, pages.user_of(request))
        name = answers.name_of(task.owner) if task.owner else ""
        return _("Your question was sent to %(name)s.") % {"name": name}

    return _done(request, evidence, act)


@login_required
@require_POST
def object_to(request: HttpRequest, evidence: uuid.UUID) -> HttpResponse:
    """An objection to one claim, or to the refusal."""

    def act(record: EvidenceRecord) -> str:
        number = request.POST.get("claim", "0")
        feedback.give(
            record,
            pages.user_of(request),
            claim=int(number) if number.isascii() and number.isdigit() and len(number) < 5 else -1,
            kind=request.POST.get("kind", ""),
            comment=request.POST.get("comment", ""),
        )
        return _("Thank you: the owner of the text was told.")

    return _done(request, evidence, act)


def _done(request: HttpRequest, evidence: uuid.UUID, act: Callable[[EvidenceRecord], str]) -> HttpResponse:
    """Act on one of the person's own answers, say what came of it, and show the answer again."""
    said = conversations.question_of(pages.user_of(request), evidence)
    record = EvidenceRecord.objects.filter(id=evidence).first()
    if said is None or record is None:
        raise Http404
    try:
        messages.success(request, act(record))
    except DomainError as error:
        messages.error(request, error.message)
    return HttpResponseRedirect(pages.address(said[1], evidence))
