"""The rows that actions change: documents under their lock, revisions written together with their files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from django.db.models import Case, Field, QuerySet, Value, When
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from documents.models import Document, Revision, Section
from documents.rules.types import SectionSpan
from governance.errors import NotFound


def lock(document_id: int) -> Document:
    """The document's row, locked until the transaction ends: the only lock that a change of it takes."""
    return lock_all([document_id])[document_id]


def lock_all(ids: Collection[int]) -> dict[int, Document]:
    """The rows of these documents, locked in one order whoever asks. Raises `NotFound` where one is missing."""
    found = {row.pk: row for row in _documents().filter(pk__in=ids).order_by("pk")}
    if len(found) < len(set(ids)):
        raise NotFound(_("There is no such document."))
    return found


def locked(revision_id: int) -> Revision:
    """The revision as it stands once its document is locked."""
    return locked_all([revision_id])[0]


def locked_all(ids: Sequence[int], *, with_text: bool = True) -> list[Revision]:
    """Revisions of different documents, in this order, as they stand once all of those are locked."""
    documents = {row.pk: row for row in _documents().filter(revisions__in=ids).order_by("pk")}
    rows = Revision.objects.filter(pk__in=ids).order_by()
    revisions = {row.pk: row for row in (rows if with_text else rows.defer("text", "pages"))}
    if len(revisions) < len(set(ids)) or any(row.document_id not in documents for row in revisions.values()):
        raise NotFound(_("There is no such revision."))
    if len(documents) < len(ids):
        raise ValueError("one move at a time of the revisions of a document")
    for row in revisions.values():
        row.document = documents[row.document_id]
    return [revisions[pk] for pk in ids]


def store(rows: Sequence[Revision], fields: Sequence[str]) -> None:
    """Write these fields of all the rows in one statement."""
    values: dict[str, object] = {}
    for name in fields:
        column = cast("Field[Any, Any]", Revision._meta.get_field(name))
        held = [getattr(row, column.attname) for row in rows]
        if all(value == held[0] for value in held):
            values[name] = held[0]
        else:
            of_row = [When(pk=row.pk, then=Value(value, column)) for row, value in zip(rows, held, strict=True)]
            values[name] = Cast(Case(*of_row, output_field=column), column)
    Revision.objects.filter(pk__in=[row.pk for row in rows]).update(**values)


def _documents() -> QuerySet[Document]:
    return Document.objects.select_for_update(of=("self",), no_key=True).select_related("area")


def section_rows(revision: Revision, sections: Iterable[SectionSpan]) -> list[Section]:
    """A text's sections, in this order, before they are rows."""
    return [
        Section(
            revision=revision,
            ordinal=ordinal,
            level=section.level,
            heading=section.heading,
            path=list(section.path),
            anchor=section.anchor,
            start=section.start,
            body_start=section.body_start,
            end=section.end,
        )
        for ordinal, section in enumerate(sections)
    ]


@contextmanager
def with_files(revisions: Collection[Revision]) -> Iterator[None]:
    """Remove the originals of these new drafts if what is done inside fails: a transaction does not take files back."""
    try:
        yield
    except BaseException:
        for revision in revisions:
            if revision.file.name:
                revision.file.storage.delete(revision.file.name)
        raise
