"""Evidence in the admin: a list that leads to the pages, where a record is explained. Nothing is changed here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from chat.auditing import words
from chat.models import EvidenceRecord
from documents.admin import ByRole
from documents.rules.types import Role


@admin.register(EvidenceRecord)
class EvidenceAdmin(ByRole):
    viewers = frozenset({Role.AUDITOR})
    configured = False
    list_display = ["sequence", "recorded_at", "named_status", "question", "cited", "reader_key"]
    list_display_links = None
    list_filter = ["status", "recorded_at"]
    list_per_page = 50
    show_full_result_count = False
    ordering = ["-sequence"]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The record's own page, which checks again who may open it."""
        record = self.get_object(request, object_id)
        if record is None or not self.has_view_permission(request, record):
            return HttpResponseRedirect(reverse("admin:chat_evidencerecord_changelist"))
        return HttpResponseRedirect(reverse("evidence-record", args=[record.id]))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return EvidenceRecord.objects.light().order_by("-sequence")

    def _holds(self, request: HttpRequest, roles: frozenset[Role]) -> bool:
        """By the role alone: a superuser reads no more of what people asked than anyone."""
        return request.user.is_active and bool(roles & self.person(request).roles)

    @admin.display(description=_("status"), ordering="status")
    def named_status(self, record: EvidenceRecord) -> str:
        return words.say(words.STATUS, record.status)

    @admin.display(description=_("question"))
    def question(self, record: Any) -> str:
        address = reverse("evidence-record", args=[record.id])
        return format_html('<a href="{}">{}</a>', address, Truncator(record.asked_text or record.id).chars(120))

    @admin.display(description=_("documents cited"))
    def cited(self, record: EvidenceRecord) -> str:
        return ", ".join(record.documents)
