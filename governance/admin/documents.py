"""Documents, as those in charge see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents.admin import once, person_of
from documents.models import Document, Revision
from governance.actions.access import set_owner, unknown_readers
from governance.actions.document import FIELDS, DocumentData, create_document, set_data
from governance.admin import access, suggest
from governance.admin.base import Governed, ReasonField
from governance.admin.fields import SUGGEST, PersonField
from governance.admin_actions import signed_in
from governance.permissions import known_documents, known_revisions, may, may_add_documents
from governance.rules.moves import Duty

LISTED = 30
"""Revisions that the page of a document names; the list has the rest."""


class DocumentForm(forms.ModelForm):
    """A document's own data. Its readers have a page of their own, except at the beginning."""

    readers = forms.CharField(
        label=gettext_lazy("Readers"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("One a line: group:…, user:…, area:… or unit:… Empty: nobody but the owner."),
    )
    owner = PersonField(
        label=gettext_lazy("Owner"),
        required=False,
        help_text=gettext_lazy("A username. A document without an owner is kept and never quoted."),
    )
    reason = ReasonField()

    class Meta:
        model = Document
        fields = ["code", *FIELDS]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            del self.fields["readers"]
            self.fields["owner"].initial = self.instance.owner_id

    def clean_readers(self) -> list[str]:
        readers = str(self.cleaned_data["readers"]).split()
        unknown = unknown_readers(readers)
        if unknown:
            raise forms.ValidationError(_("No such reader: %(names)s.") % {"names": ", ".join(unknown)})
        return readers

    def document_data(self) -> DocumentData:
        return DocumentData(**{name: self.cleaned_data[name] for name in FIELDS})


class OwnedFilter(admin.SimpleListFilter):
    title = gettext_lazy("owner")
    parameter_name = "owned"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("me", gettext_lazy("mine")), ("none", gettext_lazy("nobody's"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        if self.value() == "me":
            return queryset.filter(owner_id=signed_in(request).pk)
        return queryset.filter(owner=None) if self.value() == "none" else queryset


@admin.register(Document)
class DocumentAdmin(Governed):
    form = DocumentForm
    list_display = ["code", "title", "kind", "area", "owner", "classification", "authority", "risk"]
    list_filter = ["area", "kind", "classification", "authority", "risk", OwnedFilter]
    list_select_related = ["area", "owner"]
    search_fields = ["code", "title"]
    search_help_text = gettext_lazy("Code or title.")
    ordering = ["code"]
    change_form_template = "admin/governance/document.html"

    class Media:
        js = [SUGGEST]

    fieldsets = [
        (None, {"fields": ["code", "title", "kind", "area", "owner"]}),
        (gettext_lazy("Access"), {"fields": ["classification", "readers", "history"]}),
        (gettext_lazy("Scope"), {"fields": ["scope_units", "scope_jurisdictions", "scope_products", "subjects"]}),
        (gettext_lazy("Standing"), {"fields": ["authority", "risk", "source_kind", "source_uri"]}),
        (None, {"fields": ["reason"]}),
    ]

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("<int:document_id>/access/", view(access.page), name="documents_document_access"),
            path("suggest/", view(suggest.drafted), name="suggest_documents"),
            path("suggest/known/", view(suggest.known), name="suggest_known"),
            path("suggest/people/", view(suggest.people), name="suggest_people"),
            path("suggest/readers/", view(suggest.readers), name="suggest_readers"),
        ]
        return own + super().get_urls()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        listed: Iterable[Revision] = ()
        if object_id.isdecimal():
            rows = known_revisions(signed_in(request), self.person(request)).filter(document_id=object_id)
            listed = rows.defer("text", "pages").order_by("-pk")[:LISTED]
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), "revisions": listed})

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        return known_documents(signed_in(request), person_of(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may_add_documents(self.person(request))

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        if not isinstance(obj, Document):
            return False
        # Once: a form that is shown again has put into the row what was typed, another area for one.
        return once(request, f"manages {obj.pk}", lambda: may(self.person(request), obj, Duty.MANAGE))

    def get_readonly_fields(self, request: HttpRequest, obj: Document | None = None) -> list[str]:
        return ["code"] if obj is not None else []

    def get_fieldsets(self, request: HttpRequest, obj: Document | None = None) -> list[Any]:
        if obj is None:
            return list(self.fieldsets)
        # Readers have a page of their own; who may not change the document is asked for no reason.
        hidden = {"readers"} if self.has_change_permission(request, obj) else {"reason", "readers"}
        shown = [(title, [f for f in options["fields"] if f not in hidden]) for title, options in self.fieldsets]
        return [(title, {"fields": fields}) for title, fields in shown if fields]

    def save_model(self, request: HttpRequest, obj: Document, form: DocumentForm, change: bool) -> None:
        actor, reason = signed_in(request), form.cleaned_data["reason"]
        owner = form.cleaned_data["owner"]
        if not change:
            code, readers = form.cleaned_data["code"], form.cleaned_data["readers"]
            obj.pk = create_document(
                code, form.document_data(), owner=owner, readers=readers, actor=actor, reason=reason
            ).pk
            return
        set_data(obj.pk, form.document_data(), actor=actor, reason=reason)
        set_owner(obj.pk, owner, actor=actor, reason=reason)  # last: it may hand away the right to the others
