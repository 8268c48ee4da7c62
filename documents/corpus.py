"""The read side of the corpus, for those who answer from it. Every passage leaves with the decision about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np
from django.db.models import QuerySet

from documents.models import Channel, Document, Embedding, GlossaryEntry, IndexVersion, Revision
from documents.payloads import Half, Payload, Payloads
from documents.rules.headings import units_to_name, with_units
from documents.rules.passage import Loaded, Passage
from documents.rules.text_terms import TextTerms, terms_of, text_terms, unpacked
from documents.rules.types import CORPUS_OF_KIND, Authority, GlossaryTerm, Kind, Reader, Reason
from documents.search import active
from documents.search.base import EngineUnavailable, Vector
from documents.statements import IDS, ReaderStatement

CHUNK_FIELDS = (
    "pk",
    "revision_id",
    "start",
    "end",
    "page",
    "text_hash",
    "heading",
    "section__heading",
    "section__anchor",
)
DOCUMENT_FIELDS = (
    "code", "title", "kind", "authority", "subjects", "scope_units", "scope_jurisdictions", "scope_products",
)  # fmt: skip

_payloads = Payloads()


@dataclass(frozen=True, slots=True)
class _Area:
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class _Document:
    area: _Area
    code: str
    title: str
    kind: str
    authority: str
    subjects: list[str]
    scope_units: list[str]
    scope_jurisdictions: list[str]
    scope_products: list[str]


@dataclass(frozen=True, slots=True)
class _Revision:
    """A revision with what a passage shows of it, and whether it may be quoted: rows without what a model adds."""

    pk: int
    label: str
    in_force: Any
    reason: Reason
    document: _Document


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

    A chunk that the tables no longer have is left out: an index that lags shows nothing that is gone. So is one of a
    text that has not arrived whole: an index shows all of a publication or nothing of it.
    """
    fields = [f"chunk__{name}" for name in CHUNK_FIELDS]
    rows = Embedding.objects.filter(chunk_id__in=chunk_ids, fingerprint=version.fingerprint)
    chunks, keys = {}, {}
    for input_hash, *values in rows.values_list("input_hash", *fields):
        row = dict(zip(CHUNK_FIELDS, values, strict=True))
        chunks[row["pk"]] = row
        keys[row["pk"]] = (row["pk"], version.fingerprint, row["text_hash"], input_hash, row["start"])
    # One row for each revision, not for each passage: a question's candidates come from few texts.
    revisions = _revisions({row["revision_id"] for row in chunks.values()}, reader, on, today)
    payloads = _payloads.of(keys, lambda missing: _read(missing, version))
    shown = [
        (chunks[pk], revisions[chunks[pk]["revision_id"]], payloads[pk])
        for pk in chunk_ids
        if pk in payloads and chunks[pk]["revision_id"] in revisions
    ]
    if not shown:
        return []
    # All vectors at once, in single precision: each passage has its rows of them.
    vectors = np.concatenate([payload.vectors for _row, _revision, payload in shown]).astype(np.float32)
    loaded, at = [], 0
    for row, revision, payload in shown:
        own, at = vectors[at : at + len(payload.vectors)], at + len(payload.vectors)
        passage = _passage(row, payload, revision)
        units = units_to_name(revision.document.title, revision.document.scope_units)
        terms = payload.terms.and_of(_terms_of_units(units)) if units else payload.terms
        loaded.append(Loaded(passage, revision.reason, terms, own[0], own[1:]))
    return loaded


@lru_cache(maxsize=1000)
def _terms_of_units(units: tuple[str, ...]) -> TextTerms:
    return text_terms(", ".join(units))


def _revisions(ids: Collection[int], reader: Reader, on: date, today: date) -> dict[int, _Revision]:
    found = {}
    for pk, label, window, reason, slug, area, *values in REASONS.rows(reader, on, today, ids):
        document = _Document(_Area(slug, area), *values)
        found[pk] = _Revision(pk, label, window, Reason(reason), document)
    return found


def _reasons(reader: Reader, on: date, today: date) -> QuerySet[Revision, Any]:
    names = ["pk", "label", "in_force", "reason", "document__area__slug", "document__area__name"]
    names += [f"document__{name}" for name in DOCUMENT_FIELDS]
    rows = Revision.objects.filter(pk__any=IDS).arrived().order_by().with_reason(reader, on, today)
    return rows.values_list(*names)


REASONS = ReaderStatement(_reasons)
AUDIENCES = ReaderStatement(lambda reader, _on, _today: Document.objects.audience_keys(reader))


def _read(chunk_ids: Sequence[int], version: IndexVersion) -> dict[int, Payload]:
    rows = Embedding.objects.filter(chunk_id__in=chunk_ids, fingerprint=version.fingerprint).values_list(
        "chunk_id", "vector", "sentence_vectors", "chunk__text", "chunk__start", "chunk__sentences", "chunk__stems",
        "chunk__heading", "chunk__terms",
    )  # fmt: skip
    return {
        chunk_id: Payload(
            text=text,
            sentences=(spans := tuple((first - start, last - start) for first, last in sentences)),
            stems=tuple((stem[0] - start, stem[1] - start) if stem else None for stem in stems),
            terms=unpacked(terms) or terms_of(heading, text, spans),
            vectors=_vectors(vector, own, version.dimensions),
        )
        for chunk_id, vector, own, text, start, sentences, stems, heading, terms in rows
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


def _vectors(vector: Vector, sentences: bytes | memoryview, dimensions: int) -> Half:
    own = np.frombuffer(bytes(sentences), dtype=np.float16).reshape(-1, dimensions)
    return np.concatenate([vector.astype(np.float16)[None], own])


def _passage(chunk: dict[str, Any], payload: Payload, revision: _Revision) -> Passage:
    document, window = revision.document, revision.in_force
    return Passage(
        chunk_id=chunk["pk"],
        document=document.code,
        title=document.title,
        revision=revision.label,
        revision_id=str(revision.pk),
        section=chunk["section__heading"],
        anchor=chunk["section__anchor"],
        page=chunk["page"],
        start=chunk["start"],
        end=chunk["end"],
        text=payload.text,
        text_hash=chunk["text_hash"],
        heading=with_units(chunk["heading"], document.title, document.scope_units),
        kind=Kind(document.kind),
        corpus=CORPUS_OF_KIND[Kind(document.kind)],
        authority=Authority(document.authority),
        area=document.area.slug,
        owner=document.area.name,
        valid_from=window.lower if window else None,
        valid_until=window.upper if window else None,
        sentences=payload.sentences,
        stems=payload.stems,
        subjects=frozenset(document.subjects),
        scope_units=frozenset(document.scope_units),
        scope_jurisdictions=frozenset(document.scope_jurisdictions),
        scope_products=frozenset(document.scope_products),
    )
