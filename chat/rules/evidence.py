"""What is kept of an answer, and the chain that shows it was never changed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from chat.rules.answer import Json, citation, claim
from chat.rules.outcome import Outcome, Traced, Versions
from documents.rules.canonical import canonical
from documents.rules.passage import Passage
from documents.rules.types import Reader

FORMAT = "evidence-2"
"""2 keeps the area that the question seems to belong to."""
GENESIS = "0" * 64


def typed(outcome: Outcome) -> frozenset[str]:
    """The texts of a record that are not the corpus's own: what a person typed, and what a model made of it."""
    refused = [verdict.claim for verdict in outcome.verdicts if not verdict.accepted]
    return frozenset(
        (
            outcome.question,
            outcome.standalone,
            outcome.error,
            *(search.text for search in outcome.searches),
            *(text for claim in refused for text in (claim.text, claim.quote)),
        )
    )


def cited_in(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The citations that a body shows as sources: those of its claims, then those of its conflict."""
    return [*(cited for claim in record["claims"] for cited in claim["citations"]), *record["conflict"]]


def quoted_in(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Every citation of a body: its sources, then what it offers to read."""
    return [*cited_in(record), *record["related"]]


def documents(record: Mapping[str, Any]) -> list[str]:
    """The codes of the documents that a body shows as sources, of claims or of a conflict, sorted."""
    return sorted({cited["document"] for cited in cited_in(record)})


def body(outcome: Outcome, versions: Versions, reader: Reader, redact: Mapping[str, str]) -> Json:
    """The record of one answer: no name and no question in the person's words, which lie in erasable tables.

    `redact` maps each of the `typed` texts to its form without personal data.
    """
    return {
        "format": FORMAT,
        "status": str(outcome.status),
        "question": redact[outcome.question],
        "standalone_question": redact[outcome.standalone],
        "on": outcome.on.isoformat(),
        "temporal": outcome.temporal,
        "area": outcome.area,
        "missing": outcome.missing,
        "error": redact[outcome.error],
        "reader": _reader(reader),
        "searches": [{"text": redact[search.text], "area": search.area} for search in outcome.searches],
        "stages": [
            {
                "name": stage.name,
                "in": stage.entered,
                "out": stage.left,
                "by_corpus": {str(corpus): count for corpus, count in stage.by_corpus.items()},
            }
            for stage in outcome.stages
        ],
        "candidates": [_candidate(item) for item in outcome.candidates],
        "signals": _rounded(outcome.signals),
        "passages": [_passage(number, passage) for number, passage in enumerate(outcome.sent, 1)],
        "claims": [claim(item) for item in outcome.claims],
        "refused": [
            {
                "text": redact[verdict.claim.text],
                "passage": verdict.claim.passage,
                "quote": redact[verdict.claim.quote],
                "reason": verdict.reason,
            }
            for verdict in outcome.verdicts
            if not verdict.accepted
        ],
        "conflict": [citation(cited) for cited in outcome.conflict],
        "related": [citation(cited) for cited in outcome.related],
        "usage": asdict(outcome.usage),
        "cached": outcome.cached,
        "timings_ms": _rounded(outcome.timings),
        "versions": asdict(versions),
    }


def chained_hash(
    *, sequence: int, record_id: str, recorded_at: datetime, reader_key: str, record: object, previous: str
) -> str:
    """SHA-256 over the canonical JSON (RFC 8785) of a record and the hash before it, 64 hexadecimal digits."""
    value = {
        "sequence": sequence,
        "id": record_id,
        "recorded_at": recorded_at.isoformat(),
        "reader_key": reader_key,
        "body": record,
        "previous": previous,
    }
    return hashlib.sha256(canonical(value)).hexdigest()


def _reader(reader: Reader) -> Json:
    return {
        "key": reader.key,
        "groups": sorted(reader.named_groups),
        "areas": sorted(reader.areas),
        "units": sorted(reader.units),
        "jurisdictions": sorted(reader.jurisdictions),
        "roles": sorted(reader.roles),
    }


def _candidate(item: Traced) -> Json:
    return {
        "chunk": item.chunk_id,
        "document": item.document,
        "revision": item.revision,
        "corpus": str(item.corpus),
        "reason": str(item.reason),
        "lexical_rank": item.lexical_rank,
        "vector_rank": item.vector_rank,
        "fused": round(item.fused, 6),
        "features": _rounded(item.features),
        "score": None if item.score is None else round(item.score, 4),
        "rank": item.rank,
    }


def _passage(number: int, passage: Passage) -> Json:
    # The text itself is recoverable from the revision, which never changes; its hash freezes it.
    return {
        "number": number,
        "document": passage.document,
        "revision": passage.revision,
        "revision_id": passage.revision_id,
        "chunk": passage.chunk_id,
        "start": passage.start,
        "end": passage.end,
        "text_hash": passage.text_hash,
        "anchor": passage.anchor,
        "authority": str(passage.authority),
    }


def _rounded(values: Mapping[str, float]) -> Json:
    return {name: round(float(value), 4) for name, value in values.items()}
