"""The page on which somebody sees the portal as another person: composed here, because it asks the chat."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.auditing import words
from chat.seeing import LISTED, Look, Row, look
from chat.services import LONGEST_QUESTION
from chat.throttle import TooMany, counted
from documents.admin import person_of
from documents.errors import DomainError
from documents.rules.types import Reason
from governance.admin import access
from governance.admin.base import ReasonField
from governance.admin.fields import PersonField
from governance.admin_actions import signed_in
from governance.permissions import may_see_as

REASONS: dict[Reason, Promise] = {
    **access.REASONS,
    Reason.ELIGIBLE: gettext_lazy("is answered from it"),
    Reason.NO_OWNER: gettext_lazy("the document has no owner"),
}


class SeeForm(forms.Form):
    person = PersonField(label=gettext_lazy("Person"), help_text=gettext_lazy("A username."))
    question = forms.CharField(
        label=gettext_lazy("A question that they would ask"),
        required=False,
        max_length=LONGEST_QUESTION,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Empty: only the list of documents."),
    )
    words = forms.CharField(label=gettext_lazy("Documents with these words"), required=False, max_length=100)
    reason = ReasonField(label=gettext_lazy("Reason"))


def page(request: HttpRequest) -> HttpResponse:
    """Nothing is shown before the look is in the trail: a result is never an address that one can open again."""
    if not may_see_as(person_of(request)):
        raise Http404
    asked = {name: request.GET[name] for name in ("person", "words") if name in request.GET}
    form = SeeForm(request.POST or None, initial=asked)
    found: Look | None = None
    if form.is_valid():
        values, actor = form.cleaned_data, signed_in(request)
        try:
            if values["question"] and not counted(actor.pk):
                raise TooMany
            found = look(
                values["person"],
                actor=actor,
                reason=values["reason"],
                words=values["words"].replace("\0", ""),
                question=values["question"],
            )
        except DomainError as error:
            form.add_error(None, str(error.message))
    context: dict[str, Any] = {
        "title": _("See as another person"),
        "form": form,
        "look": found,
        "person": form.cleaned_data["person"] if found else None,
        "rows": [(row, _why(row)) for row in found.rows] if found else [],
        "listed": LISTED,
        "status": words.say(words.STATUS, found.answer.status) if found and found.answer else "",
    }
    return render(request, "admin/governance/see_as.html", context)


def _why(row: Row) -> str:
    if row.reason is None:
        return _("no text in force")
    return str(REASONS.get(row.reason, _("not today")))
