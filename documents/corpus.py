"""The read side of the corpus, for those who answer from it. Every passage leaves with the decision about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

import numpy as np

from documents import checked
from documents.checked import Row
from documents.models import Audience, Channel, GlossaryEntry, IndexVersion, Revision
from documents.models.vector import from_sent
from documents.payloads import Half, Payload, Payloads
from documents.rules.headings import units_to_name, with_units
from documents.rules.passage import Loaded, Passage
from documents.rules.text_terms import TextTerms, terms_of, text_terms, unpacked
from documents.rules.types import CORPUS_OF_KIND, Authority, GlossaryTerm, Kind, Reader
from documents.search import active, binary
from documents.search.base import EngineUnavailable
from documents.statements import ReaderStatement

AUDIENCES = ReaderStatement(lambda reader, _on, _today: Audience.objects.keys_of(reader))

_payloads = Payloads()


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
    rows = {row.chunk_id: row for row in checked.rows(version, chunk_ids, reader, on, today)}
    payloads = _payloads.of({pk: row.key for pk, row in rows.items()}, lambda missing: _read(missing, version))
    shown = [(rows[pk], payloads[pk]) for pk in chunk_ids if pk in payloads]
    if not shown:
        return []
    # All vectors at once, in single precision: each passage has its rows of them.
    vectors = np.concatenate([payload.vectors for _row, payload in shown], dtype=np.float32)
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


_PAYLOADS = """
SELECT e.chunk_id, e.fingerprint, c.text_hash, e.input_hash, c.start, halfvec_send(e.vector), e.sentence_vectors,
    c.text, c.sentences, c.stems, c.heading, c.terms->>0, c.terms->>1, c.terms->>2
FROM documents_embedding e JOIN documents_chunk c ON c.id = e.chunk_id
WHERE e.chunk_id = ANY(%b) AND e.fingerprint = %b
"""


def _read(chunk_ids: list[int], version: IndexVersion) -> dict[int, Payload]:
    rows = binary.select(_PAYLOADS, [chunk_ids, version.fingerprint])
    return {
        chunk_id: Payload(
            key=(chunk_id, model, text_hash, input_hash, start),
            text=text,
            sentences=(spans := tuple((first - start, last - start) for first, last in sentences)),
            stems=tuple((stem[0] - start, stem[1] - start) if stem else None for stem in stems),
            terms=unpacked(kept) or terms_of(heading, text, spans),
            vectors=_vectors(vector, own, version.dimensions),
        )
        for chunk_id, model, text_hash, input_hash, start, vector, own, text, sentences, stems, heading, *kept in rows
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
    return np.concatenate([from_sent(vector)[None], np.frombuffer(sentences, dtype=np.float16).reshape(-1, dimensions)])


def _passage(row: Row, payload: Payload) -> Passage:
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
