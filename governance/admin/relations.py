"""The relations between documents: declared and taken back by those in charge of one end."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from documents.admin import person_of
from documents.models import Document, Relation
from governance.actions.places import relate, unrelate
from governance.admin.base import Governed, ReasonField
from governance.admin.fields import SUGGEST, DocumentField, offer
from governance.admin_actions import removal, signed_in
from governance.permissions import known_documents


class RelationForm(forms.ModelForm):
    class Meta:
        model = Relation
        fields = ["kind"]

    source = DocumentField(Document.objects.none(), label=gettext_lazy("From"))
    target = DocumentField(Document.objects.none(), label=gettext_lazy("To"))
    reason = ReasonField()


@admin.register(Relation)
class RelationAdmin(Governed):
    """A link is declared by whoever is in charge of one of its two ends; it is taken back, never rewritten."""

    form = RelationForm
    list_display = ["kind", "source", "target", "reason"]
    list_filter = ["kind"]
    list_select_related = ["source", "target"]
    search_fields = ["source__code", "target__code"]
    fields = ["kind", "source", "target", "reason"]
    actions = [removal(unrelate, gettext_lazy("Take back"))]

    class Media:
        js = [SUGGEST]

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        known = known_documents(signed_in(request), person_of(request)).order_by().values("pk")
        return Relation.objects.filter(source__in=known, target__in=known).select_related("source", "target")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.manages_some(request)

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return self.manages_some(request)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        offer(made, ("source", "target"), known_documents(signed_in(request), person_of(request)))
        return made

    def save_model(self, request: HttpRequest, obj: Relation, form: Any, change: bool) -> None:
        values = form.cleaned_data
        kind = Relation.Kind(values["kind"])
        done = relate(kind, values["source"], values["target"], actor=signed_in(request), reason=values["reason"])
        obj.pk = done.pk
