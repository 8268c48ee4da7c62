"""Chunks by one statement: what a passage shows of them, and whether it may be quoted. Their texts are kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Any, NamedTuple, get_type_hints

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import QuerySet

from documents.models import IndexVersion, Revision
from documents.payloads import Key
from documents.rules.types import Reader, Reason
from documents.statements import IDS, ReaderStatement


class Row(NamedTuple):
    """Each column with how the ORM reaches it from a revision."""

    chunk_id: Annotated[int, "chunks__pk"]
    fingerprint: Annotated[str, "chunks__embeddings__fingerprint"]
    input_hash: Annotated[str, "chunks__embeddings__input_hash"]
    start: Annotated[int, "chunks__start"]
    end: Annotated[int, "chunks__end"]
    page: Annotated[int | None, "chunks__page"]
    text_hash: Annotated[str, "chunks__text_hash"]
    heading: Annotated[str, "chunks__heading"]
    section: Annotated[str, "chunks__section__heading"]
    anchor: Annotated[str, "chunks__section__anchor"]
    revision_id: Annotated[int, "pk"]
    label: Annotated[str, "label"]
    window: Annotated[Any, "in_force"]
    reason: Annotated[str, "reason"]
    arrived: Annotated[bool, "arrived"]
    code: Annotated[str, "document__code"]
    title: Annotated[str, "document__title"]
    kind: Annotated[str, "document__kind"]
    authority: Annotated[str, "document__authority"]
    area: Annotated[str, "document__area__slug"]
    owner: Annotated[str, "document__area__name"]
    subjects: Annotated[list[str], "document__subjects"]
    units: Annotated[list[str], "document__scope_units"]
    jurisdictions: Annotated[list[str], "document__scope_jurisdictions"]
    products: Annotated[list[str], "document__scope_products"]

    @property
    def why(self) -> Reason:
        reason = Reason(self.reason)
        return Reason.INDEX_STALE if reason is Reason.ELIGIBLE and not self.arrived else reason

    @property
    def key(self) -> Key:
        return self.chunk_id, self.fingerprint, self.text_hash, self.input_hash, self.start


def rows(version: IndexVersion, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> Iterator[Row]:
    """Those of the chunks that the tables still have, with a vector of the version's model; in no order."""
    for values in STATEMENT.rows(reader, on, today, chunk_ids):
        row = Row._make(values)
        if row.fingerprint == version.fingerprint:
            yield row


def _made(reader: Reader, on: date, today: date) -> QuerySet[Revision, Any]:
    found = Revision.objects.filter(chunks__pk__any=IDS).order_by()
    theirs = ArraySubquery(found.values("document_id"))
    found = found.with_arrival().with_reason(reader, on, today, among=theirs)
    return found.values_list(*(column.__metadata__[0] for column in get_type_hints(Row, include_extras=True).values()))


STATEMENT = ReaderStatement(_made)
"""Chunks by their ids with what `decide` says of them: the columns of `Row`."""
