"""Counts and hash of what an index holds and of what it should hold. A large corpus is compared in parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from documents.batches import in_parts
from documents.models import IndexVersion
from documents.search.base import Engine, FilterFields, Held
from documents.search.entries import indexable, vector_fingerprints, wanted

BATCH = 500
WHOLE = 2**256


@dataclass(frozen=True, slots=True)
class Summary:
    """Of a set of (chunk, revision, audience, window, …). The hash does not depend on the order."""

    chunks: int
    revisions: int
    hash: str


def held_summary(engine: Engine, version: IndexVersion, revision_ids: Sequence[int]) -> Summary:
    """What every part of the engine holds of these revisions."""
    total = _Sum()
    for part in in_parts(revision_ids, BATCH):
        held = engine.held(version.pk, part)
        total.add({chunk: found.fields for chunk, found in held.items() if found.whole})
    return total.summary()


def true_summary(version: IndexVersion) -> Summary:
    """What the tables say that the version should hold."""
    total = _Sum()
    for _revision, chunks in wanted(indexable().iterator(BATCH), version):
        total.add(chunks)
    return total.summary()


def agreeing(engine: Engine, version: IndexVersion, revision_ids: Sequence[int], *, every_copy: bool) -> set[int]:
    """Those of the revisions of which the engine, or each copy of it, holds what the tables say and nothing else."""
    agreed: set[int] = set()
    for part in in_parts(revision_ids, BATCH):
        held = engine.held(version.pk, part, every_copy=every_copy)
        own: dict[int, set[int]] = {}
        for chunk, found in held.items():
            own.setdefault(found.revision_id, set()).add(chunk)
        vectors = vector_fingerprints(version, list(held))
        for revision, chunks in wanted(indexable().filter(pk__in=part), version):
            same = own.pop(revision.pk, set()) == chunks.keys()
            if same and all(_agrees(held[chunk], fields, vectors[chunk]) for chunk, fields in chunks.items()):
                agreed.add(revision.pk)
    return agreed


def _agrees(held: Held, fields: FilterFields, vector: str) -> bool:
    return held.whole and held.fields == fields and held.vector == vector


class _Sum:
    def __init__(self) -> None:
        self._hash = self._chunks = 0
        self._revisions: set[int] = set()

    def add(self, entries: Mapping[int, FilterFields]) -> None:
        for item in entries.items():
            self._hash += int.from_bytes(hashlib.sha256(repr(item).encode()).digest(), "big")
        self._hash %= WHOLE
        self._chunks += len(entries)
        self._revisions.update(_revisions(entries.values()))

    def summary(self) -> Summary:
        return Summary(self._chunks, len(self._revisions), f"{self._hash:064x}")


def _revisions(fields: Iterable[FilterFields]) -> set[int]:
    return {revision for revision, *_rest in fields}
