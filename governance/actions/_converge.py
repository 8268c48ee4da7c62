"""What follows from a change of a document's access or data: its audience key now, its index entries after commit."""

from __future__ import annotations

from documents import jobs
from documents.access import refresh_audience
from documents.models import Document


def converge_document(document: Document) -> None:
    refresh_audience([document])
    for revision_id in document.revisions.order_by("pk").values_list("pk", flat=True):
        jobs.schedule("converge", revision_id)
