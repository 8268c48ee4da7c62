"""What the active index holds against what the tables say it should hold."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from documents.access import audience_of
from documents.models import Document, IndexVersion, Revision
from documents.search import active
from documents.search.base import Engine
from documents.search.entries import entries_of

MISSING = "missing"
UNKNOWN = "unknown"
FILTER = "filter"
AUDIENCE = "audience"
NOT_EMBEDDED = "not_embedded"
CONFIGURATION = "configuration"


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference: its kind, the document and revision, the chunk when it is about one."""

    kind: str
    document: str
    revision: str
    chunk: int | None = None


def check(engine: Engine, version: IndexVersion) -> list[Drift]:
    """Every chunk, window, audience key and flag of the index against the truth; empty means that they agree."""
    drifts = []
    if version.configuration != active.configuration() or version.fingerprint != active.embedder().fingerprint:
        drifts.append(Drift(CONFIGURATION, "", ""))
    for document in Document.objects.order_by("code"):
        if document.audience_key != audience_of(document):
            drifts.append(Drift(AUDIENCE, document.code, ""))
    held = engine.held(version.pk)
    rows = Revision.objects.select_related("document__area").order_by("pk")
    for revision, entries in entries_of(rows.iterator(50), version.fingerprint):
        name = (revision.document.code, revision.label)
        if revision.text.strip() and not entries:
            drifts.append(Drift(NOT_EMBEDDED, *name))
        for entry in entries:
            fields = held.pop(entry.chunk_id, None)
            if fields is None:
                drifts.append(Drift(MISSING, *name, entry.chunk_id))
            elif fields != entry.filter_fields:
                drifts.append(Drift(FILTER, *name, entry.chunk_id))
    drifts.extend(Drift(UNKNOWN, "", "", chunk) for chunk in sorted(held))
    return drifts


def set_hash(held: Mapping[int, tuple[object, ...]]) -> str:
    """The hash of a set of (chunk, filter fields), 64 hexadecimal digits."""
    digest = hashlib.sha256()
    for chunk in sorted(held):
        digest.update(repr((chunk, held[chunk])).encode())
    return digest.hexdigest()


def truth(version: IndexVersion) -> dict[int, tuple[object, ...]]:
    """What the index should hold, in the form of `Engine.held`."""
    rows = Revision.objects.select_related("document__area").order_by("pk")
    pairs = entries_of(rows.iterator(50), version.fingerprint)
    return {entry.chunk_id: entry.filter_fields for _revision, entries in pairs for entry in entries}
