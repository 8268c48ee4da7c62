"""What an area has of its own: its words, and the channel where its people ask."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.db.models import Q
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from documents.admin import once
from documents.models import Area, Channel, GlossaryEntry
from documents.rules.types import Role
from governance import usage
from governance.actions import words
from governance.admin.base import ReasonField
from governance.admin.company import Configured, ReasonedForm
from governance.admin.fields import SUGGEST, PersonField
from governance.admin_actions import removal, signed_in
from governance.permissions import configures, keeps_term, kept_areas
from governance.usage import Use


class KeptAdmin(Configured):
    """What an area has of its own: kept by who answers for the area; the product team keeps all of it.

    Who keeps something sees the whole list, since nothing in it is secret, and changes their own.
    """

    editors = frozenset({Role.PRODUCT})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) or self.keeps_some(request)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return super().has_view_permission(request, obj) or self.keeps_some(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.configures(request) or bool(self.areas(request))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if self.configures(request) or obj is None:
            return self.configures(request)
        return once(request, f"keeps {obj._meta.label} {obj.pk}", lambda: self.keeps(request, obj))

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return self.configures(request) or self.keeps_some(request)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The areas on offer are the person's own, and the one that it has already."""
        made = super().get_form(request, obj, change, **kwargs)
        area = made.base_fields.get("area")
        if isinstance(area, forms.ModelChoiceField) and not self.configures(request):
            held = obj.area_id if obj is not None else None
            area.queryset = Area.objects.filter(Q(slug__in=sorted(self.areas(request))) | Q(pk=held))
            area.required = obj is None or held is not None
        return made

    def configures(self, request: HttpRequest) -> bool:
        return configures(signed_in(request), self.person(request))

    def areas(self, request: HttpRequest) -> frozenset[str]:
        return once(request, "kept_areas", lambda: kept_areas(self.person(request)))

    def keeps(self, request: HttpRequest, row: Any) -> bool:
        return row.area is not None and row.area.slug in self.areas(request)

    def keeps_some(self, request: HttpRequest) -> bool:
        return bool(self.areas(request))


@admin.register(Channel)
class ChannelAdmin(KeptAdmin):
    form = ReasonedForm
    list_display = ["label", "area", "url"]
    list_filter = ["area"]
    list_select_related = ["area"]
    search_fields = ["label", "url"]
    fields = ["area", "label", "url", "reason"]
    actions = [removal(words.remove_channel, gettext_lazy("Remove"))]

    def uses(self, row: Channel) -> list[Use]:
        return usage.of_channel(row)

    def target(self, row: Channel) -> str:
        return f"channel:{row.pk}"

    def save_model(self, request: HttpRequest, obj: Channel, form: Any, change: bool) -> None:
        values = form.cleaned_data
        known = obj.pk if change else None
        done = words.set_channel(
            known, values["area"], values["label"], values["url"], actor=signed_in(request), reason=values["reason"]
        )
        obj.pk = done.pk


class TermForm(forms.ModelForm):
    owner = PersonField(label=gettext_lazy("Owner"), required=False)
    reason = ReasonField()

    class Meta:
        model = GlossaryEntry
        fields = ["term", "expansions", "area"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The reason that is kept is that of the last edit; each edit is asked for its own.
        self.initial.pop("reason", None)
        if self.instance.pk and "owner" in self.fields:
            self.fields["owner"].initial = self.instance.owner_id
        if "expansions" in self.fields:
            self.fields["expansions"].widget.attrs["class"] = "vTextField"
            self.fields["expansions"].help_text = gettext_lazy("Meanings, separated by commas.")


@admin.register(GlossaryEntry)
class GlossaryAdmin(KeptAdmin):
    """Whoever owns an entry keeps it too."""

    form = TermForm
    list_display = ["term", "expansions", "area", "owner", "version"]
    list_filter = ["area"]
    list_select_related = ["area", "owner"]
    search_fields = ["term", "expansions"]
    fields = ["term", "expansions", "area", "owner", "version", "reason"]
    readonly_fields = ["version"]
    actions = [removal(words.remove_term, gettext_lazy("Remove"))]

    class Media:
        js = [SUGGEST]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [name for name in self.fields if name != "version"] if obj is None else self.fields

    def keeps(self, request: HttpRequest, row: GlossaryEntry) -> bool:
        return keeps_term(signed_in(request), self.person(request), row)

    def keeps_some(self, request: HttpRequest) -> bool:
        return super().keeps_some(request) or self._owns_some(request)

    def uses(self, row: GlossaryEntry) -> list[Use]:
        return usage.of_term(row)

    def target(self, row: GlossaryEntry) -> str:
        return f"glossary:{row.pk}"

    def save_model(self, request: HttpRequest, obj: GlossaryEntry, form: Any, change: bool) -> None:
        values = form.cleaned_data
        data = words.TermData(values["term"], values["expansions"], values["area"], values["owner"])
        known = obj.pk if change else None
        obj.pk = words.set_term(known, data, actor=signed_in(request), reason=values["reason"]).pk

    def _owns_some(self, request: HttpRequest) -> bool:
        rows: models.QuerySet[Any] = GlossaryEntry.objects.filter(owner_id=request.user.pk)
        return once(request, "owns_terms", lambda: bool(request.user.is_active) and rows.exists())
