"""Revisions: lists, and the way to the page on which people decide about one."""

from __future__ import annotations

from functools import partialmethod
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from documents.admin import person_of
from documents.extractors.words import warnings
from documents.models import Revision
from documents.rules.lifecycle import ONCE_PUBLISHED, Action
from governance.admin import effects, uploads, work
from governance.admin.base import Governed
from governance.admin.home import may_draft
from governance.admin_actions import move, signed_in
from governance.permissions import known_revisions, may_ever, readable_revisions
from governance.templatetags.days import days
from governance.worklist import expiring


class EndingFilter(admin.SimpleListFilter):
    title = gettext_lazy("leaving force")
    parameter_name = "ending"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("30", gettext_lazy("my texts within 30 days, with nothing to follow"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        if self.value() != "30":
            return queryset
        return queryset.filter(pk__in=expiring(person_of(request), timezone.localdate()).order_by().values("pk"))


@admin.register(Revision)
class RevisionAdmin(Governed):
    list_display = ["revision", "title", "state", "in_force_days", "author", "approved_by"]
    list_display_links = None
    list_filter = ["state", EndingFilter, "document__area", "document__kind"]
    search_fields = ["document__code", "document__title", "label"]
    search_help_text = gettext_lazy("Code, title or label.")
    ordering = ["document__code", "-id"]
    actions = [move(action) for action in Action]
    shown_fields = [
        "document", "label", "state", "planned_days", "retired_on", "in_force_days", "author", "approved_by",
        "approved_hash", "content_hash", "media_type", "extractor", "told_warnings", "source_at", "source_certainty",
        "approved_at", "approved_certainty", "extracted_at", "extracted_certainty", "published_at",
        "published_certainty", "created_at", "readable_text",
    ]  # fmt: skip

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        rows = known_revisions(signed_in(request), person_of(request)).select_related(
            "document__area", "author", "approved_by"
        )
        return rows.defer("text", "pages")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("upload/", view(uploads.send), name="upload_new"),
            path("upload/<int:upload_id>/", view(uploads.look), name="upload_check"),
            path("<int:revision_id>/upload/", view(uploads.send), name="upload_rewrite"),
            path("<int:revision_id>/copy/", view(uploads.copy), name="documents_revision_copy"),
            path("<int:revision_id>/workbench/", view(work.work), name="documents_revision_work"),
            path("<int:revision_id>/preview/", view(effects.preview), name="documents_revision_preview"),
            path("<int:revision_id>/preview/state/", view(effects.fragment), name="documents_revision_preview_state"),
        ]
        return own + super().get_urls()

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A draft begins with a file that is looked at first."""
        return HttpResponseRedirect(reverse("admin:upload_new"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return may_draft(request, self.person(request))

    def _may_ever(self, action: Action, request: HttpRequest) -> bool:
        return may_ever(self.person(request), action)

    has_submit_permission = partialmethod(_may_ever, Action.SUBMIT)
    has_approve_permission = partialmethod(_may_ever, Action.APPROVE)
    has_reject_permission = partialmethod(_may_ever, Action.REJECT)
    has_publish_permission = partialmethod(_may_ever, Action.PUBLISH)
    has_retire_permission = partialmethod(_may_ever, Action.RETIRE)
    has_restore_permission = partialmethod(_may_ever, Action.RESTORE)

    def get_fieldsets(self, request: HttpRequest, obj: Revision | None = None) -> list[Any]:
        shown = [
            name
            for name in self.shown_fields
            if name != "readable_text" or (obj is not None and self._may_read(request, obj))
        ]
        return [(None, {"fields": shown})]

    def get_readonly_fields(self, request: HttpRequest, obj: Revision | None = None) -> list[str]:
        return self.shown_fields

    @admin.display(description=gettext_lazy("revision"), ordering="document__code")
    def revision(self, revision: Revision) -> str:
        url = reverse("admin:documents_revision_work", args=[revision.pk])
        return format_html('<a href="{}">{}</a>', url, f"{revision.document.code}@{revision.label}")

    @admin.display(description=gettext_lazy("extraction warnings"))
    def told_warnings(self, revision: Revision) -> str:
        return "\n".join(said.text for said in warnings(revision))

    @admin.display(description=gettext_lazy("title"), ordering="document__title")
    def title(self, revision: Revision) -> str:
        return revision.document.title

    @admin.display(description=gettext_lazy("in force"), ordering="in_force")
    def in_force_days(self, revision: Revision) -> str:
        return days(revision.in_force if revision.state in ONCE_PUBLISHED else None)

    @admin.display(description=gettext_lazy("validity"))
    def planned_days(self, revision: Revision) -> str:
        return days(revision.validity)

    @admin.display(description=gettext_lazy("text"))
    def readable_text(self, revision: Revision) -> str:
        return format_html("<pre>{}</pre>", revision.text)

    def _may_read(self, request: HttpRequest, revision: Revision) -> bool:
        return readable_revisions(self.person(request)).filter(pk=revision.pk).exists()
