"""What an index should hold, computed from the tables: the truth that every engine is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from documents.models import Chunk, Document, Embedding, Revision
from documents.rules.types import CORPUS_OF_KIND, Kind, Window
from documents.rules.validity import in_force
from documents.search.base import FOREVER, NEVER, Entry, Vector, day


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


def entry_of(chunk: Chunk, revision: Revision, vector: Vector) -> Entry:
    document = revision.document
    valid_from, valid_until = window_of(revision)
    return Entry(
        chunk_id=chunk.pk,
        revision_id=revision.pk,
        audience=document.audience_key,
        valid_from=valid_from,
        valid_until=valid_until,
        standing=standing_of(revision),
        owned=document.owner_id is not None,
        corpus=CORPUS_OF_KIND[Kind(document.kind)],
        area=document.area.slug,
        heading=chunk.heading,
        text=chunk.text,
        vector=vector,
    )


def entries_of(revisions: Iterable[Revision], fingerprint: str) -> Iterator[tuple[Revision, list[Entry]]]:
    """The entries of each revision that has embeddings under this model, in the order of its chunks."""
    for revision in revisions:
        rows = Embedding.objects.filter(chunk__revision=revision, fingerprint=fingerprint).select_related("chunk")
        yield (
            revision,
            [
                entry_of(row.chunk, revision, np.asarray(row.vector, dtype=np.float32))
                for row in rows.order_by("chunk__ordinal").defer("sentence_vectors")
            ],
        )
