"""The read side of the corpus, for those who answer from it. Every passage leaves with the decision about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np

from documents.models import Channel, Chunk, Document, Embedding, GlossaryEntry, IndexVersion, Revision
from documents.rules.headings import with_units
from documents.rules.passage import Loaded, Passage
from documents.rules.types import CORPUS_OF_KIND, Authority, GlossaryTerm, Kind, Reader, Reason
from documents.search import active
from documents.search.base import EngineUnavailable, Vector

CHUNK_FIELDS = (
    "revision_id", "start", "end", "page", "text", "text_hash", "heading", "sentences", "stems", "section__heading",
    "section__anchor",
)  # fmt: skip


def audiences(reader: Reader) -> frozenset[str]:
    return Document.objects.audience_keys(reader)


def index_version() -> IndexVersion:
    """The index that answers. Raises `EngineUnavailable` before the first one and where none can be read here."""
    version = active.answering()
    if version is None:
        raise EngineUnavailable("there is no index yet: import a corpus or run `manage.py reindex`")
    return version


def load(version: IndexVersion, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
    """Passages by chunk id, in the order given, each re-checked against the tables now.

    A chunk that the tables no longer have is left out: an index that lags shows nothing that is gone.
    """
    vectors = {
        chunk_id: _vectors(vector, sentences, version.dimensions)
        for chunk_id, vector, sentences in Embedding.objects.filter(
            chunk_id__in=chunk_ids, fingerprint=version.fingerprint
        ).values_list("chunk_id", "vector", "sentence_vectors")
    }
    chunks = {row["pk"]: row for row in Chunk.objects.filter(pk__in=vectors).values("pk", *CHUNK_FIELDS)}
    # One row for each revision, not for each passage: a question's candidates come from few texts.
    revisions = (
        Revision.objects.filter(pk__in={row["revision_id"] for row in chunks.values()})
        .with_reason(reader, on, today)
        .select_related("document__area")
        .defer("text", "pages", "warnings")
        .in_bulk()
    )
    return [
        Loaded(_passage(row, revisions[row["revision_id"]]), Reason(revisions[row["revision_id"]].reason), *vectors[pk])
        for pk in chunk_ids
        if (row := chunks.get(pk)) is not None and row["revision_id"] in revisions
    ]


def still_linked(passages: Sequence[Passage]) -> bool:
    """Whether each passage is, to the letter, the text of its revision at its span."""
    texts = Revision.objects.in_bulk([int(passage.revision_id) for passage in passages])
    return all(
        (revision := texts.get(int(passage.revision_id))) is not None
        and revision.text[passage.start : passage.end] == passage.text
        for passage in passages
    )


def glossary() -> list[GlossaryTerm]:
    entries = GlossaryEntry.objects.select_related("area").order_by("term", "pk")
    return [GlossaryTerm(e.term, tuple(e.expansions), e.area.slug if e.area else None) for e in entries]


def channel(area: str | None) -> Channel | None:
    """Where to ask a person: the area's channel, else the default one."""
    rows = {row.area.slug if row.area else None: row for row in Channel.objects.select_related("area")}
    return rows.get(area) or rows.get(None)


def _vectors(vector: Vector, sentences: bytes | memoryview, dimensions: int) -> tuple[Vector, Vector]:
    return vector, np.frombuffer(bytes(sentences), dtype=np.float16).reshape(-1, dimensions).astype(np.float32)


def _passage(chunk: dict[str, Any], revision: Revision) -> Passage:
    document, window, start = revision.document, revision.in_force, chunk["start"]
    return Passage(
        chunk_id=chunk["pk"],
        document=document.code,
        title=document.title,
        revision=revision.label,
        revision_id=str(revision.pk),
        section=chunk["section__heading"],
        anchor=chunk["section__anchor"],
        page=chunk["page"],
        start=start,
        end=chunk["end"],
        text=chunk["text"],
        text_hash=chunk["text_hash"],
        heading=with_units(chunk["heading"], document.title, document.scope_units),
        kind=Kind(document.kind),
        corpus=CORPUS_OF_KIND[Kind(document.kind)],
        authority=Authority(document.authority),
        area=document.area.slug,
        owner=document.area.name,
        valid_from=window.lower if window else None,
        valid_until=window.upper if window else None,
        sentences=tuple((first - start, last - start) for first, last in chunk["sentences"]),
        stems=tuple((stem[0] - start, stem[1] - start) if stem else None for stem in chunk["stems"]),
        subjects=frozenset(document.subjects),
        scope_units=frozenset(document.scope_units),
        scope_jurisdictions=frozenset(document.scope_jurisdictions),
        scope_products=frozenset(document.scope_products),
    )
