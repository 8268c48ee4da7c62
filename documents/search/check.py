"""What the active index holds against what the tables say it should hold, in parts, however large it is."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from documents.access import audiences_of, unkept
from documents.batches import in_parts
from documents.models import Chunk, Document, IndexVersion, Revision
from documents.search import active
from documents.search.arrival import cache_differences
from documents.search.base import Engine, EngineUnavailable, FilterFields, Held, Progress
from documents.search.entries import indexable, vector_fingerprints, wanted
from documents.search.passages import held_cut, uncut
from documents.search.vectors import unembedded

CONFIGURATION = "configuration"  # another model or other rules: reindex
AUDIENCE = "audience"  # the document's key does not stand for its readers, or has lost its row
PASSAGES = "passages"  # the text was not cut as its policy, its headings and its own letters ask for
NOT_EMBEDDED = "not_embedded"
MISSING = "missing"  # the engine lacks the chunk
PARTIAL = "partial"  # a part or a copy of the engine lacks it, or says otherwise than another
FILTER = "filter"  # it is filtered on something else than the tables say
VECTOR = "vector"  # it is searched by another vector than the tables have
UNKNOWN = "unknown"  # the engine holds what the tables do not know
UNREADABLE = "unreadable"  # the index is missing or damaged: reindex
CACHE = "cache"  # a sampled cache entry says otherwise

BATCH = 500
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference: its kind, the document and revision, the chunk when it is about one, and which part says so."""

    kind: str
    document: str = ""
    revision: str = ""
    chunk: int | None = None
    where: str = ""
    revision_id: int | None = field(default=None, compare=False)


def check(engine: Engine, version: IndexVersion, progress: Progress | None = None) -> list[Drift]:
    """Every chunk, window, audience key, vector and flag of every copy against the truth, and a sample of the caches.

    Empty means that they agree. `progress` hears of revisions.
    """
    drifts = [*_configuration(version), *_audiences()]
    ids = list(Revision.objects.order_by("pk").values_list("pk", flat=True))
    done = 0
    try:
        found, whole = 0, True
        for part in in_parts(ids, BATCH):
            drifts += _passages(version, part)
            held = engine.held(version.pk, part, every_copy=True)
            found, whole = found + len(held), whole and all(one.whole for one in held.values())
            drifts += _entries(version, part, held)
            done += len(part)
            if progress is not None:
                progress(done, len(ids))
        if not whole or engine.size(version.pk) != found:
            drifts += _strangers(engine, version, set(ids))
    except EngineUnavailable as error:
        logger.warning("%s", error)
        drifts.append(Drift(UNREADABLE, where=str(error)))
    return [*drifts, *(Drift(CACHE, where=said) for said in cache_differences([]))]


def _configuration(version: IndexVersion) -> Iterator[Drift]:
    if not active.fits(version):
        yield Drift(CONFIGURATION)


def _audiences() -> Iterator[Drift]:
    for part in in_parts(Document.objects.order_by("pk").iterator(BATCH), BATCH):
        audiences = audiences_of(part)
        lost = {audience.key for audience in unkept(audiences.values())}
        for row in part:
            if row.audience_key != audiences[row.pk].key or row.audience_key in lost:
                yield Drift(AUDIENCE, row.code)


def _passages(version: IndexVersion, revision_ids: Sequence[int]) -> Iterator[Drift]:
    for row in indexable().filter(pk__in=uncut(revision_ids)):
        yield Drift(PASSAGES, row.document.code, row.label, revision_id=row.pk)
    held = [chunk for own in held_cut(revision_ids, version.chunker).values() for chunk in own]
    chunks = Chunk.objects.filter(pk__in=unembedded(held, version.fingerprint)).order_by("pk")
    for code, label, pk, revision in chunks.values_list(
        "revision__document__code", "revision__label", "pk", "revision_id"
    ):
        yield Drift(NOT_EMBEDDED, code, label, pk, revision_id=revision)


def _entries(version: IndexVersion, revision_ids: Sequence[int], held: dict[int, Held]) -> Iterator[Drift]:
    vectors = vector_fingerprints(version, list(held))
    for revision, chunks in wanted(indexable().filter(pk__in=revision_ids), version):
        for chunk, fields in chunks.items():
            kind, where = _difference(held.pop(chunk, None), fields, vectors.get(chunk, ""))
            if kind:
                yield Drift(kind, revision.document.code, revision.label, chunk, where, revision.pk)
    for chunk, stranger in sorted(held.items()):
        yield Drift(UNKNOWN, chunk=chunk, revision_id=stranger.revision_id)


def _strangers(engine: Engine, version: IndexVersion, known: set[int]) -> Iterator[Drift]:
    """Chunks of revisions that are gone: looked for where the index is not exactly what was found of the others."""
    for chunk, stranger in sorted(engine.held(version.pk).items()):
        if stranger.revision_id not in known:
            yield Drift(UNKNOWN, chunk=chunk, revision_id=stranger.revision_id)


def _difference(held: Held | None, fields: FilterFields, vector: str) -> tuple[str, str]:
    if held is None:
        return MISSING, ""
    if not held.whole:
        return PARTIAL, ", ".join(held.differs)
    if held.fields != fields:
        return FILTER, ""
    return (VECTOR, "") if held.vector != vector else ("", "")
