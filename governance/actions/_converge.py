"""What follows from a change: the audience key now, index entries after commit, and how long that took."""

from __future__ import annotations

from collections.abc import Sequence

from documents import jobs, propagation
from documents.access import refresh_audience
from documents.models import Document, Propagation, Revision


def converge_documents(documents: Sequence[Document], change: Propagation.Action) -> None:
    """Their audience keys are made anew, and the index follows."""
    refresh_audience(documents)
    converge_index(documents, change)


def converge_index(documents: Sequence[Document], change: Propagation.Action) -> None:
    """Every revision follows; a document without one changes nothing that is answered from."""
    revisions = list(Revision.objects.filter(document__in=documents).order_by("pk").values_list("pk", "document_id"))
    if revisions:
        answering = {document for _pk, document in revisions}
        moved = [(document, None) for document in documents if document.pk in answering]
        propagation.expect_all(change, moved, bulk=jobs.in_bulk())
        jobs.schedule_all("converge", [pk for pk, _document in revisions])


def converge_revisions(revisions: Sequence[Revision], change: Propagation.Action | None = None) -> None:
    """`change` is what is measured; None for what nobody waits for."""
    if change is not None:
        propagation.expect_all(change, [(row.document, row) for row in revisions], bulk=jobs.in_bulk())
    jobs.schedule_all("converge", [revision.pk for revision in revisions])
