"""Who reads a document: the grants, the people behind them with the reason of each, and the changes of both."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents.admin import person_of
from documents.errors import DomainError
from documents.models import Document
from documents.rules.types import Classification, Reason, Role
from governance.actions import access
from governance.admin.base import ReasonField
from governance.admin.suggest import words_of
from governance.admin_actions import signed_in
from governance.permissions import known_documents, may, may_see_as
from governance.readership import Way, grants, people, readers_called
from governance.rules.moves import Duty

ON_A_PAGE = 50
GRANTS_ON_A_PAGE = 25

EFFECTS: dict[str, Promise] = {
    Classification.PUBLIC: gettext_lazy("Public: every grant counts."),
    Classification.INTERNAL: gettext_lazy("Internal: every grant counts."),
    Classification.CONFIDENTIAL: gettext_lazy("Confidential: every grant counts; grant it to as few as need it."),
    Classification.RESTRICTED: gettext_lazy("Restricted: grants to whole areas and units are ignored."),
}
WAYS: dict[Way, Promise] = {
    Way.OWNER: gettext_lazy("owner of the document"),
    Way.DIRECT: gettext_lazy("granted by name"),
    Way.GROUP: gettext_lazy("group"),
    Way.AREA: gettext_lazy("area"),
    Way.UNIT: gettext_lazy("unit"),
}
REASONS: dict[Reason, Promise] = {
    Reason.NO_PERMISSION: gettext_lazy("no grant reaches this person"),
    Reason.OUT_OF_SCOPE: gettext_lazy("not of the units of its scope"),
    Reason.OTHER_JURISDICTION: gettext_lazy("not of the jurisdictions of its scope"),
}


class GrantForm(forms.Form):
    prefix = "give"
    reader = forms.CharField(
        label=gettext_lazy("Who may read it too"),
        max_length=160,
        help_text=gettext_lazy(
            "A group, an area, a unit or a person: group:…, area:…, unit:…, user:…"
            " Groups come first: they outlive people."
        ),
    )
    reason = ReasonField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reader"].widget.attrs |= {"data-suggest": reverse("admin:suggest_readers")}

    def clean_reader(self) -> str:
        """A name alone will do where it means one reader."""
        reader: str = self.cleaned_data["reader"].strip()
        if ":" in reader:
            return reader
        meant = readers_called(reader)
        if not meant:
            raise forms.ValidationError(
                _("No group, area, unit or person is called “%(name)s”: choose from the list that opens as you type.")
                % {"name": reader}
            )
        if len(meant) > 1:
            raise forms.ValidationError(
                _("“%(name)s” may mean %(readers)s: write one of them.") % {"name": reader, "readers": ", ".join(meant)}
            )
        return meant[0]


class RevokeForm(forms.Form):
    prefix = "take"
    readers = forms.MultipleChoiceField(label=gettext_lazy("Grants"), widget=forms.CheckboxSelectMultiple)
    reason = ReasonField()

    def __init__(self, *args: Any, readers: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["readers"].choices = [(reader, reader) for reader in readers]  # type: ignore[attr-defined]


def page(request: HttpRequest, document_id: int) -> HttpResponse:
    document = _document(request, document_id)
    managed = may(person_of(request), document, Duty.MANAGE)
    held = grants(document)
    giving = taking = None
    if managed:
        readers = [one.reader for one in held]
        giving = GrantForm(request.POST if "grant" in request.POST else None)
        taking = RevokeForm(request.POST if "revoke" in request.POST else None, readers=readers)
        if _changed(request, document, giving, taking):
            return HttpResponseRedirect(reverse("admin:documents_document_access", args=[document.pk]))
    words, granted = words_of(request), words_of(request, "g")
    listed = people(document, words, timezone.localdate())
    shown = Paginator(listed, ON_A_PAGE).get_page(request.GET.get("page"))
    wanted = [one for one in held if one.holds(granted)]
    few = Paginator(wanted, GRANTS_ON_A_PAGE).get_page(request.GET.get("gp"))
    context = {
        "title": _("Who may read %(code)s") % {"code": document.code},
        "crumbs": [
            {"url": reverse("admin:documents_document_changelist"), "title": _("Documents")},
            {"url": reverse("admin:documents_document_change", args=[document.pk]), "title": document.code},
        ],
        "document": document,
        "effect": EFFECTS[document.classification],
        "held": held,
        "grants": [(one, WAYS[one.way]) for one in few],
        "grants_page": few,
        "many_grants": len(held) > GRANTS_ON_A_PAGE,
        "g": granted,
        "page": shown,
        "people": [
            (one, [(WAYS[way.way], way.name) for way in one.ways], REASONS.get(one.reason, "")) for one in shown
        ],
        "readers": sum(one.reads for one in listed),
        "q": words,
        "giving": giving,
        "taking": taking if held else None,
        "sees_as": may_see_as(person_of(request), manages=managed),
    }
    return render(request, "admin/governance/access.html", context)


def _document(request: HttpRequest, document_id: int) -> Document:
    """For those in charge and for auditors; hidden and missing look the same."""
    rows = known_documents(signed_in(request), person_of(request)).select_related("area", "owner")
    document: Document | None = rows.filter(pk=document_id).first()
    person = person_of(request)
    if document is None or not (may(person, document, Duty.MANAGE) or Role.AUDITOR in person.roles):
        raise Http404
    return document


def _changed(request: HttpRequest, document: Document, giving: GrantForm, taking: RevokeForm) -> bool:
    """Whether one of the two forms was sent and done."""
    actor = signed_in(request)
    try:
        if giving.is_bound and giving.is_valid():
            reader = giving.cleaned_data["reader"]
            done = access.grant(document.pk, [reader], actor=actor, reason=giving.cleaned_data["reason"])
            line = _("%(names)s may read it now.") % {"names": reader}
        elif taking.is_bound and taking.is_valid():
            readers = taking.cleaned_data["readers"]
            done = access.revoke(document.pk, readers, actor=actor, reason=taking.cleaned_data["reason"])
            line = _("Taken back: %(names)s.") % {"names": ", ".join(readers)}
        else:
            return False
    except DomainError as error:
        (giving if giving.is_bound else taking).add_error(None, str(error.message))
        return False
    messages.success(request, line if done else _("Nothing changed: it was so already."))
    return True
