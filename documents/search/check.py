"""What the active index holds against what the tables say it should hold."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from documents.access import audiences_of
from documents.batches import in_parts
from documents.models import Document, IndexVersion, Revision
from documents.search import active
from documents.search.base import Engine, EngineUnavailable, FilterFields, Held
from documents.search.entries import indexable, wanted
from documents.search.passages import uncut
from documents.search.vectors import unembedded

CONFIGURATION = "configuration"  # another model or other rules: reindex
AUDIENCE = "audience"  # the document's key does not stand for its readers
PASSAGES = "passages"  # the text was not cut as its policy and headings ask for
NOT_EMBEDDED = "not_embedded"
MISSING = "missing"  # the engine lacks the chunk
PARTIAL = "partial"  # a part of the engine lacks it, or says otherwise than another
FILTER = "filter"  # it is filtered on something else than the tables say
UNKNOWN = "unknown"  # the engine holds what the tables do not know
UNREADABLE = "unreadable"  # the index is missing or damaged: reindex

BATCH = 500
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference: its kind, the document and revision, the chunk when it is about one."""

    kind: str
    document: str
    revision: str
    chunk: int | None = None


def check(engine: Engine, version: IndexVersion) -> list[Drift]:
    """Every chunk, window, audience key and flag of the index against the truth; empty means that they agree."""
    return [*_configuration(version), *_audiences(), *_passages(version), *_entries(engine, version)]


def set_hash(entries: Mapping[int, FilterFields]) -> str:
    """The hash of a set of (chunk, filter fields), 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for chunk in sorted(entries):
        digest.update(repr((chunk, entries[chunk])).encode())
    return digest.hexdigest()


def held_whole(engine: Engine, version: IndexVersion) -> dict[int, FilterFields]:
    """What every part of the engine holds, in the form of `truth`."""
    return {chunk: found.fields for chunk, found in engine.held(version.pk).items() if found.whole}


def truth(version: IndexVersion) -> dict[int, FilterFields]:
    """What the index should hold, by chunk."""
    rows = wanted(indexable().iterator(BATCH), version.fingerprint)
    return {chunk: fields for _revision, chunks in rows for chunk, fields in chunks.items()}


def _configuration(version: IndexVersion) -> Iterator[Drift]:
    if not active.fits(version):
        yield Drift(CONFIGURATION, "", "")


def _audiences() -> Iterator[Drift]:
    for part in in_parts(Document.objects.order_by("pk").iterator(BATCH), BATCH):
        keys = audiences_of(part)
        yield from (Drift(AUDIENCE, row.code, "") for row in part if row.audience_key != keys[row.pk])


def _passages(version: IndexVersion) -> Iterator[Drift]:
    for ids in in_parts(Revision.objects.order_by("pk").values_list("pk", flat=True), BATCH):
        rows = indexable().filter(pk__in=uncut(ids))
        yield from (Drift(PASSAGES, row.document.code, row.label) for row in rows)
    chunks = unembedded(version.fingerprint).values_list("revision__document__code", "revision__label", "pk")
    yield from (Drift(NOT_EMBEDDED, code, label, chunk) for code, label, chunk in chunks)


def _entries(engine: Engine, version: IndexVersion) -> Iterator[Drift]:
    try:
        held = engine.held(version.pk)
    except EngineUnavailable as error:
        logger.warning("%s", error)
        yield Drift(UNREADABLE, "", "")
        return
    for revision, chunks in wanted(indexable().iterator(BATCH), version.fingerprint):
        for chunk, fields in chunks.items():
            kind = _difference(held.pop(chunk, None), fields)
            if kind:
                yield Drift(kind, revision.document.code, revision.label, chunk)
    yield from (Drift(UNKNOWN, "", "", chunk) for chunk in sorted(held))


def _difference(held: Held | None, fields: FilterFields) -> str:
    if held is None:
        return MISSING
    if not held.whole:
        return PARTIAL
    return FILTER if held.fields != fields else ""
