"""What follows from a change: the audience key now, index entries after commit, and how long that took."""

from __future__ import annotations

from documents import jobs, propagation
from documents.access import refresh_audience
from documents.models import Document, Propagation, Revision


def converge_document(document: Document, change: Propagation.Action) -> None:
    """Every revision follows; a document without one changes nothing that is answered from."""
    refresh_audience([document])
    revisions = list(document.revisions.order_by("pk").values_list("pk", flat=True))
    if revisions:
        propagation.expect(change, document, bulk=jobs.in_bulk())
    for revision_id in revisions:
        jobs.schedule("converge", revision_id)


def converge_revision(revision: Revision, change: Propagation.Action | None = None) -> None:
    """`change` is what is measured; None for what nobody waits for."""
    if change is not None:
        propagation.expect(change, revision.document, revision, bulk=jobs.in_bulk())
    jobs.schedule("converge", revision.pk)
