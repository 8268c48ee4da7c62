"""The read side of the corpus, for those who answer from it. Every passage leaves with the decision about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from documents.models import Channel, Chunk, Document, Embedding, GlossaryEntry, IndexVersion, Revision
from documents.rules.passage import Loaded, Passage
from documents.rules.types import CORPUS_OF_KIND, Authority, Kind, Reader, Reason
from documents.search import active
from documents.search.base import EngineUnavailable


@dataclass(frozen=True, slots=True)
class Term:
    term: str
    expansions: tuple[str, ...]
    area: str | None


def audiences(reader: Reader) -> frozenset[str]:
    return Document.objects.audience_keys(reader)


def index_version() -> IndexVersion:
    """The index that answers. Raises `EngineUnavailable` before the first one and when its making has changed."""
    version = active.version()
    if version is None:
        raise EngineUnavailable("there is no index yet: import a corpus or run `manage.py reindex`")
    if not active.fits(version):
        raise EngineUnavailable("the index was made by another model or other rules: run `manage.py reindex`")
    return version


def load(version: IndexVersion, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
    """Passages by chunk id, in the order given, each re-checked against the tables now.

    A chunk that the tables no longer have is left out: an index that lags shows nothing that is gone.
    """
    embeddings = (
        Embedding.objects.filter(chunk_id__in=chunk_ids, fingerprint=version.fingerprint)
        .select_related("chunk__section", "chunk__revision__document__area")
        .defer("chunk__revision__text", "chunk__revision__pages", "chunk__revision__warnings")
    )
    rows = {row.chunk_id: row for row in embeddings}
    revisions = {row.chunk.revision_id for row in rows.values()}
    reasons = dict(Revision.objects.filter(pk__in=revisions).with_reason(reader, on, today).values_list("pk", "reason"))
    found = [rows[chunk_id] for chunk_id in chunk_ids if chunk_id in rows]
    return [_loaded(row, Reason(reasons[row.chunk.revision_id]), version.dimensions) for row in found]


def still_linked(passages: Sequence[Passage]) -> bool:
    """Whether each passage is, to the letter, the text of its revision at its span."""
    texts = Revision.objects.in_bulk([int(passage.revision_id) for passage in passages])
    return all(
        (revision := texts.get(int(passage.revision_id))) is not None
        and revision.text[passage.start : passage.end] == passage.text
        for passage in passages
    )


def glossary() -> list[Term]:
    entries = GlossaryEntry.objects.select_related("area").order_by("term", "pk")
    return [Term(e.term, tuple(e.expansions), e.area.slug if e.area else None) for e in entries]


def channel(area: str | None) -> Channel | None:
    """Where to ask a person: the area's channel, else the default one."""
    rows = {row.area.slug if row.area else None: row for row in Channel.objects.select_related("area")}
    return rows.get(area) or rows.get(None)


def _loaded(row: Embedding, reason: Reason, dimensions: int) -> Loaded:
    sentence_vectors = np.frombuffer(bytes(row.sentence_vectors), dtype=np.float16).reshape(-1, dimensions)
    return Loaded(
        passage=_passage(row.chunk),
        reason=reason,
        vector=row.vector,
        sentence_vectors=sentence_vectors.astype(np.float32),
    )


def _passage(chunk: Chunk) -> Passage:
    revision, document = chunk.revision, chunk.revision.document
    window = revision.in_force
    return Passage(
        chunk_id=chunk.pk,
        document=document.code,
        title=document.title,
        revision=revision.label,
        revision_id=str(revision.pk),
        section=chunk.section.heading,
        anchor=chunk.section.anchor,
        page=chunk.page,
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        text_hash=chunk.text_hash,
        heading=chunk.heading,
        kind=Kind(document.kind),
        corpus=CORPUS_OF_KIND[Kind(document.kind)],
        authority=Authority(document.authority),
        area=document.area.slug,
        owner=document.area.name,
        valid_from=window.lower if window else None,
        valid_until=window.upper if window else None,
        sentences=tuple((start - chunk.start, end - chunk.start) for start, end in chunk.sentences),
        stems=tuple((s[0] - chunk.start, s[1] - chunk.start) if s else None for s in chunk.stems),
        subjects=frozenset(document.subjects),
        scope_units=frozenset(document.scope_units),
        scope_jurisdictions=frozenset(document.scope_jurisdictions),
        scope_products=frozenset(document.scope_products),
    )
