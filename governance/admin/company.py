"""Areas and units: each edit says what hangs on it, has a reason, and keeps what was before."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from documents.admin import ByRole
from documents.models import Area, Unit
from governance import usage
from governance.actions import places
from governance.admin.base import ReasonField
from governance.admin.edited import Edited
from governance.admin_actions import signed_in
from governance.usage import Use


class ReasonedForm(forms.ModelForm):
    reason = ReasonField()


class Configured(Edited, ByRole):
    """Nothing of it is deleted but by the actions."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class PlaceAdmin(Configured):
    """An area or a unit: people and documents refer to its slug, so it stays."""

    form = ReasonedForm
    search_fields = ["slug", "name"]

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> list[str]:
        return ["slug"] if obj is not None else []

    def target(self, row: Any) -> str:
        return f"{row.group_prefix}{row.slug}"


@admin.register(Area)
class AreaAdmin(PlaceAdmin):
    list_display = ["name", "slug"]
    fields = ["slug", "name", "reason"]

    def uses(self, row: Area) -> list[Use]:
        return usage.of_area(row)

    def save_model(self, request: HttpRequest, obj: Area, form: Any, change: bool) -> None:
        values = form.cleaned_data
        slug = values.get("slug", obj.slug)
        known = obj.pk if change else None
        done = places.set_area(known, slug, values["name"], actor=signed_in(request), reason=values["reason"])
        obj.pk = done.pk


@admin.register(Unit)
class UnitAdmin(PlaceAdmin):
    list_display = ["name", "slug", "jurisdiction"]
    list_filter = ["jurisdiction"]
    fields = ["slug", "name", "jurisdiction", "reason"]

    def uses(self, row: Unit) -> list[Use]:
        return usage.of_unit(row)

    def save_model(self, request: HttpRequest, obj: Unit, form: Any, change: bool) -> None:
        values = form.cleaned_data
        done = places.set_unit(
            obj.pk if change else None,
            values.get("slug", obj.slug),
            values["name"],
            values["jurisdiction"],
            actor=signed_in(request),
            reason=values["reason"],
        )
        obj.pk = done.pk
