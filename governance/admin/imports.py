"""Imports of folders: send an archive, look at what it would do, say so, follow it, read the report."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents.errors import DomainError
from documents.models import Revision
from governance.admin.base import Governed
from governance.admin_actions import ReasonForm, signed_in
from governance.importing import sent
from governance.importing.dry_run import Fate
from governance.models import CorpusImport
from governance.permissions import may_import

SHOWN = 500
"""Lines of a plan on the page; the counts are of all of them."""

FATES: dict[str, Promise] = {
    Fate.NEW: gettext_lazy("new"),
    Fate.CHANGED: gettext_lazy("new text of a draft"),
    Fate.MOVED: gettext_lazy("goes further"),
    Fate.DATA: gettext_lazy("data of the document change"),
    Fate.UNCHANGED: gettext_lazy("unchanged"),
    Fate.REFUSED: gettext_lazy("does not go in"),
}
BADGES = {Fate.NEW: "good", Fate.CHANGED: "warning", Fate.MOVED: "warning", Fate.DATA: "warning", Fate.REFUSED: "error"}


class ArchiveForm(forms.Form):
    archive = forms.FileField(
        label=gettext_lazy("ZIP file of a corpus folder"),
        help_text=gettext_lazy("A folder with corpus.yaml and the files that it names. Nothing is changed yet."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )


@admin.register(CorpusImport)
class CorpusImportAdmin(Governed):
    """Each person sees the folders that they sent."""

    list_display = ["name", "state", "created_at", "settled_at"]
    list_filter = ["state"]
    search_fields = ["name"]

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        return CorpusImport.objects.filter(person_id=signed_in(request).pk)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [path("<int:import_id>/state/", view(self.fragment), name="governance_corpusimport_state")]
        return own + super().get_urls()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and may_import(signed_in(request), self.person(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_module_permission(request)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise Http404
        form = ArchiveForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
        if form.is_valid():
            try:
                row = sent.receive(form.cleaned_data["archive"], actor=signed_in(request))
            except DomainError as error:
                form.add_error("archive", str(error.message))
            else:
                return HttpResponseRedirect(reverse("admin:governance_corpusimport_change", args=[row.pk]))
        context = {
            "title": _("Import a folder"),
            "crumbs": self._crumbs(),
            "form": form,
            "multipart": True,
            "button": _("Look at it"),
            "lead": _("You see what would change, with every problem and its line, before anything does."),
        }
        return render(request, "admin/governance/form.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self._row(request, object_id)
        form = ReasonForm(request.POST if "start" in request.POST else None)
        if request.method == "POST":
            try:
                if "settle" in request.POST:
                    sent.settle(row.pk, actor=signed_in(request))
                    return HttpResponseRedirect(reverse("admin:index"))
                if form.is_valid():
                    seen, reason = request.POST.get("seen", ""), form.cleaned_data["reason"]
                    sent.start(row.pk, actor=signed_in(request), reason=reason, seen=seen)
                    return HttpResponseRedirect(request.get_full_path())
            except DomainError as error:
                messages.error(request, str(error.message))
        context = {"title": row.name, "crumbs": self._crumbs(), "form": form, **_shown(row)}
        return render(request, "admin/governance/import.html", context)

    def fragment(self, request: HttpRequest, import_id: int) -> HttpResponse:
        """How far it is, for the script that follows it."""
        row = self._row(request, str(import_id))
        return render(request, "admin/governance/import_state.html", _shown(row))

    def _row(self, request: HttpRequest, object_id: str) -> CorpusImport:
        rows = self.allowed_rows(request)
        row: CorpusImport | None = rows.filter(pk=object_id).first() if object_id.isdecimal() else None
        if row is None:
            raise Http404
        return row

    def _crumbs(self) -> list[dict[str, str]]:
        return [{"url": reverse("admin:governance_corpusimport_changelist"), "title": _("Imports of folders")}]


def _shown(row: CorpusImport) -> dict[str, Any]:
    states = dict(Revision.State.choices)
    lines = row.planned.get("lines", [])
    order = [Fate.REFUSED, Fate.NEW, Fate.CHANGED, Fate.MOVED, Fate.DATA, Fate.UNCHANGED]
    counts = Counter(line["fate"] for line in lines)
    changed = sorted(
        (line for line in lines if line["fate"] != Fate.UNCHANGED), key=lambda line: order.index(line["fate"])
    )
    return {
        "row": row,
        "busy": row.state in (CorpusImport.State.CHECKING, CorpusImport.State.RUNNING),
        "counts": [(FATES[fate], counts[fate]) for fate in order if counts[fate]],
        "lines": [
            {
                **line,
                "words": FATES[line["fate"]],
                "badge": BADGES.get(line["fate"], ""),
                "state_words": states.get(line["state"], ""),
            }
            for line in changed[:SHOWN]
        ],
        "more": max(0, len(changed) - SHOWN),
        "problems": row.planned.get("problems", []) or row.report.get("problems", []),
        "error": row.planned.get("error") or row.report.get("error"),
        "report": row.report,
    }
