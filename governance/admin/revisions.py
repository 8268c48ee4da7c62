"""Revisions: a draft comes from a file, and everything after that is a move with a reason."""

from __future__ import annotations

import mimetypes
from functools import partialmethod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminDateWidget
from django.core.files.uploadedfile import UploadedFile
from django.db import models
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents.extractors import ExtractionError, extract
from documents.models import Document, Revision
from documents.rules.lifecycle import Action
from documents.rules.types import State, Window
from governance.actions.draft import Content, create_revision, rewrite
from governance.admin.base import Governed, ReasonField
from governance.admin_actions import move, signed_in
from governance.permissions import draftable_documents, known_revisions, may, may_ever, readable_revisions
from governance.rules.moves import Duty


class DraftForm(forms.ModelForm):
    original = forms.FileField(label=gettext_lazy("File"), help_text=gettext_lazy("PDF, DOCX, HTML or Markdown."))
    valid_from = forms.DateField(label=gettext_lazy("Valid from"), required=False, widget=AdminDateWidget)
    valid_until = forms.DateField(label=gettext_lazy("Valid until"), required=False, widget=AdminDateWidget)
    reason = ReasonField()

    class Meta:
        model = Revision
        fields = ["document", "label"]

    def clean_original(self) -> Content:
        upload: UploadedFile = self.cleaned_data["original"]
        name, data = Path(str(upload.name)).name, upload.read()
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"original{Path(name).suffix.lower()}"
            path.write_bytes(data)
            try:
                extraction = extract(path)
            except ExtractionError as error:
                raise forms.ValidationError(error.message) from error
        media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Content(name, data, media_type, extraction)

    def window(self) -> Window:
        return Window(self.cleaned_data["valid_from"], self.cleaned_data["valid_until"])


@admin.register(Revision)
class RevisionAdmin(Governed):
    form = DraftForm
    list_display = ["document_code", "label", "state", "in_force_days", "retired_on", "author", "approved_by"]
    list_filter = ["state", "document__area", "document__kind"]
    search_fields = ["document__code", "document__title", "label"]
    ordering = ["document__code", "-id"]
    actions = [move(action) for action in Action]
    draft_fields = ["document", "label", "original", "valid_from", "valid_until", "reason"]
    shown_fields = [
        "document", "label", "state", "validity", "retired_on", "in_force_days", "author", "approved_by",
        "approved_hash", "content_hash", "media_type", "extractor", "warnings", "source_at", "source_certainty",
        "approved_at", "approved_certainty", "extracted_at", "extracted_certainty", "published_at",
        "published_certainty", "created_at", "readable_text",
    ]  # fmt: skip

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        rows = known_revisions(signed_in(request)).select_related("document__area", "author", "approved_by")
        return rows.defer("text", "pages")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return draftable_documents(self.person(request)).exists()

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        """The text of a draft can be replaced; the rest of a revision changes by its moves alone."""
        if not isinstance(obj, Revision) or obj.state != State.DRAFT:
            return False
        return may(self.person(request), obj.document, Duty.DRAFT)

    def _may_ever(self, action: Action, request: HttpRequest) -> bool:
        return may_ever(self.person(request), action)

    has_submit_permission = partialmethod(_may_ever, Action.SUBMIT)
    has_approve_permission = partialmethod(_may_ever, Action.APPROVE)
    has_reject_permission = partialmethod(_may_ever, Action.REJECT)
    has_publish_permission = partialmethod(_may_ever, Action.PUBLISH)
    has_retire_permission = partialmethod(_may_ever, Action.RETIRE)
    has_restore_permission = partialmethod(_may_ever, Action.RESTORE)

    def get_fieldsets(self, request: HttpRequest, obj: Revision | None = None) -> list[Any]:
        if obj is None:
            return [(None, {"fields": self.draft_fields})]
        shown = [name for name in self.shown_fields if name != "readable_text" or self._may_read(request, obj)]
        groups: list[Any] = [(None, {"fields": shown})]
        if self.has_change_permission(request, obj):
            replace = ["original", "valid_from", "valid_until", "reason"]
            groups.append((_("Replace the text of the draft"), {"fields": replace}))
        return groups

    def get_readonly_fields(self, request: HttpRequest, obj: Revision | None = None) -> list[str]:
        return self.shown_fields if obj is not None else []

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "document":
            kwargs["queryset"] = draftable_documents(self.person(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Revision, form: DraftForm, change: bool) -> None:
        content, reason = form.cleaned_data["original"], form.cleaned_data["reason"]
        if change:
            rewrite(obj.pk, content, actor=signed_in(request), reason=reason, window=form.window())
            return
        document: Document = form.cleaned_data["document"]
        label = form.cleaned_data["label"]
        obj.pk = create_revision(
            document.pk, label, content, actor=signed_in(request), reason=reason, window=form.window()
        ).pk

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The actions wrote everything."""

    @admin.display(description=gettext_lazy("document"), ordering="document__code")
    def document_code(self, revision: Revision) -> str:
        return revision.document.code

    @admin.display(description=gettext_lazy("in force"), ordering="in_force")
    def in_force_days(self, revision: Revision) -> str:
        window = revision.in_force
        if window is None or window.isempty or revision.state not in (State.PUBLISHED, State.RETIRED):
            return "—"
        return f"{window.lower:%d/%m/%Y} – {window.upper:%d/%m/%Y}" if window.upper else f"{window.lower:%d/%m/%Y} –"

    @admin.display(description=gettext_lazy("text"))
    def readable_text(self, revision: Revision) -> str:
        return format_html("<pre>{}</pre>", revision.text)

    def _may_read(self, request: HttpRequest, revision: Revision) -> bool:
        return readable_revisions(self.person(request)).filter(pk=revision.pk).exists()
