"""The file as it was handed in, byte by byte, for whoever may read what was read out of it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from documents.api import OriginalDamaged, download
from governance.permissions import readable_documents, readable_revisions
from governance.views.held import reader_behind


@login_required
@require_safe
def original(request: HttpRequest, code: str, label: str) -> HttpResponse:
    """The API's download under an address that people can tell apart; never shown inside the portal's own pages."""
    reader = reader_behind(request)
    held = get_object_or_404(readable_documents(reader), code=code)
    revision = get_object_or_404(readable_revisions(reader).select_related("document"), document=held, label=label)
    try:
        return download(revision)
    except OriginalDamaged as error:
        return render(request, "documents/damaged.html", {"revision": revision, "why": error.message}, status=409)
