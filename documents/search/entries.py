"""What an index should hold, computed from the tables: the truth that every engine is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from documents.batches import in_parts
from documents.models import Chunk, Document, Embedding, Revision
from documents.querysets import RevisionQuerySet
from documents.rules.types import CORPUS_OF_KIND, Corpus, Kind, Window
from documents.rules.validity import in_force
from documents.search.base import FOREVER, NEVER, Entry, FilterFields, day
from documents.search.vectors import searchable_text

BATCH = 200
"""Revisions that are read at a time."""

NO_VECTOR = np.empty(0, dtype=np.float32)


def indexable() -> RevisionQuerySet:
    """Every revision with what its filter fields follow from, and without its text."""
    return (
        Revision.objects.select_related("document__area")
        .only(
            "state", "validity", "retired_on", "label", "document__code", "document__audience_key",
            "document__owner_id", "document__history", "document__kind", "document__area__slug",
        )
        .order_by("pk")
    )  # fmt: skip


def filter_fields(revision: Revision) -> FilterFields:
    """What all chunks of the revision are filtered on."""
    document = revision.document
    valid_from, valid_until = window_of(revision)
    return (
        revision.pk,
        document.audience_key,
        valid_from,
        valid_until,
        standing_of(revision),
        document.owner_id is not None,
        str(CORPUS_OF_KIND[Kind(document.kind)]),
        document.area.slug,
    )


def window_of(revision: Revision) -> tuple[int, int]:
    """The days on which the revision counts, `[from, until)`; empty for what was never published."""
    if revision.state not in (Revision.State.PUBLISHED, Revision.State.RETIRED) or revision.validity is None:
        return NEVER
    window = in_force(Window(revision.validity.lower, revision.validity.upper), revision.retired_on)
    assert window.start is not None  # a constraint of the table
    return day(window.start), FOREVER if window.until is None else day(window.until)


def standing_of(revision: Revision) -> str:
    asks_role = revision.state == Revision.State.RETIRED or revision.document.history == Document.History.ROLE
    return "role" if asks_role else "open"


def wanted(revisions: Iterable[Revision], fingerprint: str) -> Iterator[tuple[Revision, dict[int, FilterFields]]]:
    """For each revision the chunks that an index of this model should hold, with what they are filtered on."""
    for part in in_parts(revisions, BATCH):
        chunks = chunk_ids([revision.pk for revision in part], fingerprint)
        for revision in part:
            fields = filter_fields(revision)
            yield revision, dict.fromkeys(chunks.get(revision.pk, ()), fields)


def chunk_ids(revision_ids: Sequence[int], fingerprint: str) -> dict[int, list[int]]:
    """Chunks that have an embedding under this model, by revision."""
    rows = Embedding.objects.filter(chunk__revision_id__in=revision_ids, fingerprint=fingerprint)
    pairs = rows.order_by("chunk__revision_id", "chunk_id").values_list("chunk__revision_id", "chunk_id")
    return {revision: [chunk for _, chunk in own] for revision, own in groupby(pairs, key=itemgetter(0))}


def entries_of(revisions: Sequence[Revision], fingerprint: str, *, vectors: bool = True) -> list[Entry]:
    """The entries of revisions, in the order of their chunks. Without `vectors` theirs are empty."""
    fields = {revision.pk: filter_fields(revision) for revision in revisions}
    rows = Embedding.objects.filter(chunk__revision_id__in=fields, fingerprint=fingerprint).select_related("chunk")
    columns = [
        "fingerprint", "chunk__revision_id", "chunk__heading", "chunk__text", "chunk__start", "chunk__sentences",
        *(["vector"] if vectors else []),
    ]  # fmt: skip
    return [
        _entry(row.chunk, fields[row.chunk.revision_id], row.vector if vectors else NO_VECTOR)
        for row in rows.only(*columns).order_by("chunk_id")
    ]


def _entry(chunk: Chunk, fields: FilterFields, vector: npt.NDArray[np.floating]) -> Entry:
    revision, audience, valid_from, valid_until, standing, owned, corpus, area = fields
    return Entry(
        chunk_id=chunk.pk,
        revision_id=revision,
        audience=audience,
        valid_from=valid_from,
        valid_until=valid_until,
        standing=standing,
        owned=owned,
        corpus=Corpus(corpus),
        area=area,
        heading=chunk.heading,
        text=searchable_text(chunk),
        vector=vector.astype(np.float32),
    )
