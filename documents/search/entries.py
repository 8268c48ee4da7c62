"""What an index should hold, computed from the tables: the truth that every engine is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from documents.batches import in_parts
from documents.models import Chunk, Document, Embedding, IndexVersion, Revision
from documents.querysets import RevisionQuerySet
from documents.rules.headings import with_units
from documents.rules.types import CORPUS_OF_KIND, Corpus, Kind, Window
from documents.rules.validity import in_force
from documents.search.base import FOREVER, NEVER, Entry, FilterFields, day, vector_fingerprint
from documents.search.passages import held_cut
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
            "document__owner_id", "document__history", "document__kind", "document__title", "document__scope_units",
            "document__area__slug",
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


def wanted(revisions: Iterable[Revision], version: IndexVersion) -> Iterator[tuple[Revision, dict[int, FilterFields]]]:
    """For each revision the chunks that the version should hold, with what they are filtered on."""
    for part in in_parts(revisions, BATCH):
        chunks = chunk_ids([revision.pk for revision in part], version)
        for revision in part:
            fields = filter_fields(revision)
            yield revision, dict.fromkeys(chunks.get(revision.pk, ()), fields)


def chunk_ids(revision_ids: Sequence[int], version: IndexVersion) -> dict[int, list[int]]:
    """The chunks of each revision that the version holds: of its own cut, else of today's; all of them or none.

    A revision of which some chunk has no vector under the version's model yet is not held at all.
    """
    cuts = held_cut(revision_ids, version.chunker)
    made = Embedding.objects.filter(chunk__revision_id__in=revision_ids, fingerprint=version.fingerprint)
    embedded = set(made.values_list("chunk_id", flat=True))
    return {revision: chunks for revision, chunks in cuts.items() if embedded.issuperset(chunks)}


def vector_fingerprints(version: IndexVersion, chunk_ids: Sequence[int]) -> dict[int, str]:
    """By what vector each of the chunks should be searched; a chunk without one is missing."""
    rows = Embedding.objects.filter(chunk__in=chunk_ids, fingerprint=version.fingerprint)
    return {chunk: vector_fingerprint(vector) for chunk, vector in rows.values_list("chunk_id", "vector")}


def entries_of(revisions: Sequence[Revision], version: IndexVersion, *, vectors: bool = True) -> list[Entry]:
    """The entries of revisions, in the order of their chunks. Without `vectors` theirs are empty."""
    by_id = {revision.pk: revision for revision in revisions}
    wanted_chunks = [chunk for own in chunk_ids(list(by_id), version).values() for chunk in own]
    rows = Embedding.objects.filter(chunk__in=wanted_chunks, fingerprint=version.fingerprint).select_related("chunk")
    columns = [
        "fingerprint", "chunk__revision_id", "chunk__heading", "chunk__text", "chunk__start", "chunk__sentences",
        *(["vector"] if vectors else []),
    ]  # fmt: skip
    return [
        _entry(row.chunk, by_id[row.chunk.revision_id], row.vector if vectors else NO_VECTOR)
        for row in rows.only(*columns).order_by("chunk_id")
    ]


def _entry(chunk: Chunk, of: Revision, vector: npt.NDArray[np.floating]) -> Entry:
    revision, audience, valid_from, valid_until, standing, owned, corpus, area = filter_fields(of)
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
        heading=with_units(chunk.heading, of.document.title, of.document.scope_units),
        text=searchable_text(chunk),
        vector=vector.astype(np.float32),
    )
