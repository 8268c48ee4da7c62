"""Two pages: send a file, then look at what was read from it and say whether it becomes a draft."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from documents.admin import person_of
from documents.embedders.base import EmbedderUnavailable
from documents.errors import DomainError
from documents.extractors.words import warning
from documents.models import Document, Revision
from documents.rules import chunking
from documents.rules.difference import Edition
from documents.rules.types import Extraction, Kind, SectionSpan, Window
from documents.search import active
from documents.search.passages import heading_of
from governance.actions import uploads
from governance.actions.uploads import Plan
from governance.admin.base import ReasonField
from governance.admin.texts import known_revision, sections_of
from governance.admin_actions import DayInput, signed_in
from governance.errors import NotFound
from governance.permissions import draftable_documents


class SendForm(forms.Form):
    """`document` is a code; a draft that is rewritten keeps its document and its label."""

    document = forms.CharField(label=gettext_lazy("Document"), max_length=80)
    label = forms.CharField(
        label=gettext_lazy("Label"), max_length=40, required=False, help_text=gettext_lazy("Empty: the next number.")
    )
    original = forms.FileField(label=gettext_lazy("File"), help_text=gettext_lazy("PDF, DOCX, HTML, Markdown or text."))
    valid_from = forms.DateField(label=gettext_lazy("Valid from"), required=False, widget=DayInput)
    valid_until = forms.DateField(
        label=gettext_lazy("Valid until"),
        required=False,
        widget=DayInput,
        help_text=gettext_lazy("The first day on which it no longer counts. Empty: until it is succeeded."),
    )
    reason = ReasonField()

    def __init__(self, *args: Any, request: HttpRequest, revision: Revision | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._request, self._revision = request, revision
        if revision is not None:
            del self.fields["document"], self.fields["label"]
        else:
            self.fields["document"].widget.attrs |= {"data-suggest": reverse("admin:suggest_documents")}

    def clean_document(self) -> Document:
        """One for which the person may write a draft; hidden and missing are the same."""
        code = str(self.cleaned_data["document"]).strip()
        rows = draftable_documents(person_of(self._request)).select_related("area")
        document: Document | None = rows.filter(code=code).first()
        if document is None:
            raise forms.ValidationError(_("There is no such document, or you may not write a draft of it."))
        return document

    def plan(self) -> Plan:
        window = Window(self.cleaned_data["valid_from"], self.cleaned_data["valid_until"])
        if self._revision is not None:
            return Plan(self._revision.document, self._revision.label, window, self._revision)
        document = self.cleaned_data["document"]
        return Plan(document, self.cleaned_data["label"].strip() or uploads.next_label(document), window)


def send(request: HttpRequest, revision_id: int | None = None) -> HttpResponse:
    """The first step: for a new draft, or for the text of one that is there."""
    revision = known_revision(request, revision_id) if revision_id is not None else None
    initial: dict[str, object] = {"document": request.GET.get("document", "")[:80]}
    if revision is not None and revision.validity is not None:
        initial = {"valid_from": revision.validity.lower, "valid_until": revision.validity.upper}
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = SendForm(data, files, request=request, revision=revision, initial=initial)
    if form.is_valid():
        try:
            upload = uploads.hold(
                form.plan(),
                form.cleaned_data["original"],
                actor=signed_in(request),
                reason=form.cleaned_data["reason"],
            )
        except DomainError as error:
            form.add_error("original" if isinstance(error, uploads.Unreadable) else None, str(error.message))
        else:
            return HttpResponseRedirect(reverse("admin:upload_check", args=[upload.pk]))
    context = {
        "title": _("Replace the file of %(revision)s") % {"revision": revision} if revision else _("Upload a file"),
        "crumbs": [{"url": reverse("admin:documents_revision_changelist"), "title": _("Revisions")}],
        "form": form,
        "multipart": True,
        "button": _("Read the file"),
        "lead": _("You see what was read from it before it becomes a draft."),
    }
    return render(request, "admin/governance/form.html", context)


def look(request: HttpRequest, upload_id: int) -> HttpResponse:
    """The second step: what was read, and the decision about it."""
    actor = signed_in(request)
    try:
        upload = uploads.held(upload_id, actor=actor)
    except DomainError as error:
        raise Http404 from error
    if request.method == "POST":
        if "drop" in request.POST:
            uploads.drop(upload)
            messages.info(request, _("The file was given up."))
            return HttpResponseRedirect(reverse("admin:index"))
        try:
            revision = uploads.confirm(upload.pk, actor=actor, seen=request.POST.get("seen", ""))
        except DomainError as error:
            messages.error(request, str(error.message))
        else:
            messages.success(request, _("%(revision)s is a draft now.") % {"revision": revision})
            return HttpResponseRedirect(reverse("admin:documents_revision_work", args=[revision.pk]))
    extraction = uploads.extraction_of(upload)
    context = {
        "title": _("What was read from %(name)s") % {"name": upload.name},
        "crumbs": [{"url": reverse("admin:upload_new"), "title": _("Upload a file")}],
        "upload": upload,
        "warnings": [warning(notice) for notice in extraction.warnings],
        "sections": sections_of(Edition(extraction.text, extraction.sections)),
        "chunks": chunks(upload.document, extraction),
        "words": len(extraction.text.split()),
    }
    return render(request, "admin/governance/upload.html", context)


@require_POST
def copy(request: HttpRequest, revision_id: int) -> HttpResponse:
    """A new draft from a text that the person reads."""
    source = known_revision(request, revision_id)
    label = uploads.next_label(source.document)
    reason = _("New revision from the text of %(label)s.") % {"label": source.label}
    try:
        revision = uploads.copy(source.pk, label, actor=signed_in(request), reason=reason)
    except NotFound as error:  # known of, and not read
        raise Http404 from error
    except DomainError as error:
        messages.error(request, str(error.message))
        return HttpResponseRedirect(reverse("admin:documents_revision_work", args=[source.pk]))
    messages.success(
        request, _("%(revision)s is a draft with the same text: replace its file.") % {"revision": revision}
    )
    return HttpResponseRedirect(reverse("admin:documents_revision_work", args=[revision.pk]))


def chunks(document: Document, extraction: Extraction) -> list[tuple[str, str]] | None:
    """Each passage as it would be found, with its heading; None where the embedder that counts it is down."""

    def heading(span: SectionSpan) -> str:
        return heading_of(document, span.path)

    try:
        embedder = active.embedder()
        cuts = chunking.chunk(
            extraction.text,
            extraction.sections,
            Kind(document.kind),
            heading_tokens=lambda span: embedder.count(heading(span)),
            count=embedder.count,
        )
    except EmbedderUnavailable:
        return None
    return [(heading(extraction.sections[cut.section]), extraction.text[cut.start : cut.end]) for cut in cuts]
