"""The stock admin for what surrounds the documents. Documents and revisions move through governance: see its admin."""

from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.http import HttpRequest

from documents.models import Area, Channel, GlossaryEntry, IndexVersion, Job, Unit
from documents.reader import reader_of
from documents.rules.types import Reader, Role


def person_of(request: HttpRequest) -> Reader:
    """The person behind a request of the admin, looked up once a request: every list and every link asks for it."""
    person: Reader | None = getattr(request, "_person", None)
    if person is None:
        user = request.user
        # Nobody, as keys: opens nothing.
        person = reader_of(user) if user.is_authenticated else Reader(key="", user_id=0, active=False)
        request._person = person  # type: ignore[attr-defined]
    return person


class ByRole(admin.ModelAdmin):
    """Permissions follow from the roles that a person holds, not from a second list of model permissions.

    A superuser configures the portal: that opens no text of a document.
    """

    viewers: ClassVar[frozenset[Role]] = frozenset({Role.AUDITOR})
    editors: ClassVar[frozenset[Role]] = frozenset()
    configured = True

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._holds(request, self.viewers | self.editors)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self._holds(request, self.viewers | self.editors)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.configured and self._holds(request, self.editors)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.configured and self._holds(request, self.editors)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.configured and self._holds(request, self.editors)

    def _holds(self, request: HttpRequest, roles: frozenset[Role]) -> bool:
        if not request.user.is_active or not request.user.is_authenticated:
            return False
        return request.user.is_superuser or bool(roles & person_of(request).roles)


class PlaceAdmin(ByRole):
    """An area or a unit: people and documents refer to its slug, so it stays."""

    search_fields = ["slug", "name"]

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> list[str]:
        return ["slug"] if obj is not None else []

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Area)
class AreaAdmin(PlaceAdmin):
    list_display = ["name", "slug"]


@admin.register(Unit)
class UnitAdmin(PlaceAdmin):
    list_display = ["name", "slug", "jurisdiction"]
    list_filter = ["jurisdiction"]


@admin.register(Channel)
class ChannelAdmin(ByRole):
    editors = frozenset({Role.PRODUCT})
    list_display = ["label", "area", "url"]
    list_filter = ["area"]


@admin.register(GlossaryEntry)
class GlossaryAdmin(ByRole):
    """The product team curates the glossary; whoever owns an entry keeps it."""

    editors = frozenset({Role.PRODUCT})
    list_display = ["term", "expansions", "area", "owner", "version"]
    list_filter = ["area"]
    list_select_related = ["area", "owner"]
    search_fields = ["term", "expansions"]
    readonly_fields = ["version"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) or self._owns_some(request)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return super().has_view_permission(request, obj) or self._owns_some(request)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        owned = isinstance(obj, GlossaryEntry) and obj.owner_id == request.user.pk and request.user.is_active
        return owned or super().has_change_permission(request, obj)

    def _owns_some(self, request: HttpRequest) -> bool:
        return request.user.is_active and GlossaryEntry.objects.filter(owner_id=request.user.pk).exists()


class RecordAdmin(ByRole):
    """Rows that the machinery writes: looked at, never edited."""

    viewers = frozenset({Role.INDEXER, Role.AUDITOR})
    configured = False


@admin.register(Job)
class JobAdmin(RecordAdmin):
    list_display = ["id", "kind", "argument", "state", "attempts", "created_at", "updated_at"]
    list_filter = ["state", "kind"]
    date_hierarchy = "created_at"


@admin.register(IndexVersion)
class IndexVersionAdmin(RecordAdmin):
    list_display = ["id", "engine", "fingerprint", "state", "entries", "published_at"]
    list_filter = ["state", "engine"]
