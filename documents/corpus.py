"""The read side of the corpus, for those who answer from it. Every passage leaves with the decision about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from django.db.models import QuerySet

from documents.models import Channel, Document, GlossaryEntry, IndexVersion, Revision
from documents.payloads import Half, Key, Payload, Payloads
from documents.rules.headings import units_to_name, with_units
from documents.rules.passage import Loaded, Passage
from documents.rules.text_terms import TextTerms, terms_of, text_terms, unpacked
from documents.rules.types import CORPUS_OF_KIND, Authority, GlossaryTerm, Kind, Reader, Reason
from documents.search import active, binary
from documents.search.base import EngineUnavailable
from documents.statements import IDS, ReaderStatement

COLUMNS = {
    "chunk_id": "chunks__pk",
    "fingerprint": "chunks__embeddings__fingerprint",
    "input_hash": "chunks__embeddings__input_hash",
    "start": "chunks__start",
    "end": "chunks__end",
    "page": "chunks__page",
    "text_hash": "chunks__text_hash",
    "heading": "chunks__heading",
    "section": "chunks__section__heading",
    "anchor": "chunks__section__anchor",
    "revision_id": "pk",
    "label": "label",
    "window": "in_force",
    "reason": "reason",
    "arrived": "arrived",
    "code": "document__code",
    "title": "document__title",
    "kind": "document__kind",
    "authority": "document__authority",
    "area": "document__area__slug",
    "owner": "document__area__name",
    "subjects": "document__subjects",
    "units": "document__scope_units",
    "jurisdictions": "document__scope_jurisdictions",
    "products": "document__scope_products",
}

_payloads = Payloads()


@dataclass(frozen=True, slots=True)
class _Row:
    """A chunk with what a passage shows of it and whether it may be quoted: without what a model adds to a row."""

    chunk_id: int
    fingerprint: str
    input_hash: str
    start: int
    end: int
    page: int | None
    text_hash: str
    heading: str
    section: str
    anchor: str
    revision_id: int
    label: str
    window: Any
    reason: str
    arrived: bool
    code: str
    title: str
    kind: str
    authority: str
    area: str
    owner: str
    subjects: list[str]
    units: list[str]
    jurisdictions: list[str]
    products: list[str]

    @property
    def why(self) -> Reason:
        reason = Reason(self.reason)
        return Reason.INDEX_STALE if reason is Reason.ELIGIBLE and not self.arrived else reason

    @property
    def key(self) -> Key:
        return self.chunk_id, self.fingerprint, self.text_hash, self.input_hash, self.start


def audiences(reader: Reader) -> frozenset[str]:
    """Every audience key that stands for this reader; empty means nothing may be searched."""
    return frozenset(key for (key,) in AUDIENCES.rows(reader, date.min, date.min))


def index_version() -> IndexVersion:
    """The index that answers. Raises `EngineUnavailable` before the first one and where none can be read here."""
    version = active.answering()
    if version is None:
        raise EngineUnavailable("there is no index yet: import a corpus or run `manage.py reindex`")
    return version


def load(version: IndexVersion, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
    """Passages by chunk id, in the order given, each re-checked against the tables now.

    A chunk that the tables no longer have is left out: an index that lags shows nothing that is gone. What might be
    quoted but has not arrived whole is `index_stale`: an index shows all of a publication or nothing of it.
    """
    rows = {row.chunk_id: row for row in _rows(version, chunk_ids, reader, on, today)}
    payloads = _payloads.of({pk: row.key for pk, row in rows.items()}, lambda missing: _read(missing, version))
    shown = [(rows[pk], payloads[pk]) for pk in chunk_ids if pk in payloads]
    if not shown:
        return []
    # All vectors at once, in single precision: each passage has its rows of them.
    vectors = np.concatenate([payload.vectors for _row, payload in shown]).astype(np.float32)
    loaded, at = [], 0
    for row, payload in shown:
        own, at = vectors[at : at + len(payload.vectors)], at + len(payload.vectors)
        units = units_to_name(row.title, tuple(row.units))
        terms = payload.terms.and_of(_terms_of_units(units)) if units else payload.terms
        loaded.append(Loaded(_passage(row, payload), row.why, terms, own[0], own[1:]))
    return loaded


@lru_cache(maxsize=1000)
def _terms_of_units(units: tuple[str, ...]) -> TextTerms:
    return text_terms(", ".join(units))


def _rows(version: IndexVersion, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> Iterator[_Row]:
    for values in CHECKED.rows(reader, on, today, chunk_ids):
        row = _Row(*values)
        if row.fingerprint == version.fingerprint:
            yield row


def _checked(reader: Reader, on: date, today: date) -> QuerySet[Revision, Any]:
    rows = Revision.objects.filter(chunks__pk__any=IDS).order_by().with_arrival().with_reason(reader, on, today)
    return rows.values_list(*COLUMNS.values())


CHECKED = ReaderStatement(_checked)
"""Chunks by their ids with what `decide` says of them: rows of `COLUMNS`."""

AUDIENCES = ReaderStatement(lambda reader, _on, _today: Document.objects.audience_keys(reader))

_PAYLOADS = """
SELECT e.chunk_id, halfvec_send(e.vector), e.sentence_vectors, c.text, c.start, c.sentences, c.stems, c.heading, c.terms
FROM documents_embedding e JOIN documents_chunk c ON c.id = e.chunk_id
WHERE e.chunk_id = ANY(%b) AND e.fingerprint = %b
"""


def _read(chunk_ids: list[int], version: IndexVersion) -> dict[int, Payload]:
    return {
        chunk_id: Payload(
            text=text,
            sentences=(spans := tuple((first - start, last - start) for first, last in sentences)),
            stems=tuple((stem[0] - start, stem[1] - start) if stem else None for stem in stems),
            terms=unpacked(terms) or terms_of(heading, text, spans),
            vectors=_vectors(vector, own, version.dimensions),
        )
        for chunk_id, vector, own, text, start, sentences, stems, heading, terms in binary.select(
            _PAYLOADS, [chunk_ids, version.fingerprint]
        )
    }


def still_linked(passages: Sequence[Passage]) -> bool:
    """Whether each passage is, to the letter, the text of its revision at its span."""
    ids = {int(passage.revision_id) for passage in passages}
    texts = dict(Revision.objects.filter(pk__in=ids).order_by().values_list("pk", "text"))
    return all(
        (text := texts.get(int(passage.revision_id))) is not None and text[passage.start : passage.end] == passage.text
        for passage in passages
    )


def glossary() -> list[GlossaryTerm]:
    entries = GlossaryEntry.objects.select_related("area").order_by("term", "pk")
    return [GlossaryTerm(e.term, tuple(e.expansions), e.area.slug if e.area else None) for e in entries]


def channel(area: str | None) -> Channel | None:
    """Where to ask a person: the area's channel, else the default one."""
    rows = {row.area.slug if row.area else None: row for row in Channel.objects.select_related("area")}
    return rows.get(area) or rows.get(None)


def _vectors(vector: bytes, sentences: bytes, dimensions: int) -> Half:
    """The vector of the whole text, as the column type is sent, above those of its sentences, as they are kept."""
    # Two numbers of two bytes come first: dimensions and a reserved one.
    own = np.frombuffer(vector, dtype=">f2", offset=4).astype(np.float16)
    return np.concatenate([own[None], np.frombuffer(sentences, dtype=np.float16).reshape(-1, dimensions)])


def _passage(row: _Row, payload: Payload) -> Passage:
    kind = Kind(row.kind)
    return Passage(
        chunk_id=row.chunk_id,
        document=row.code,
        title=row.title,
        revision=row.label,
        revision_id=str(row.revision_id),
        section=row.section,
        anchor=row.anchor,
        page=row.page,
        start=row.start,
        end=row.end,
        text=payload.text,
        text_hash=row.text_hash,
        heading=with_units(row.heading, row.title, row.units),
        kind=kind,
        corpus=CORPUS_OF_KIND[kind],
        authority=Authority(row.authority),
        area=row.area,
        owner=row.owner,
        valid_from=row.window.lower if row.window else None,
        valid_until=row.window.upper if row.window else None,
        sentences=payload.sentences,
        stems=payload.stems,
        subjects=frozenset(row.subjects),
        scope_units=frozenset(row.units),
        scope_jurisdictions=frozenset(row.jurisdictions),
        scope_products=frozenset(row.products),
    )
