"""What every search engine answers to. An engine filters before it ranks and knows nothing of people."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import date
from typing import Protocol

import numpy as np
import numpy.typing as npt

from documents.errors import TryLater
from documents.rules.types import Corpus

Vector = npt.NDArray[np.float32]
Embedded = Vector | Future[Vector]
"""A vector that may still be in the making: an engine does what it can before it waits for it."""
Progress = Callable[[int, int], None]
"""Hears how many revisions are done, of how many."""

EPOCH = date(1970, 1, 1).toordinal()
FOREVER = 2_000_000
NEVER = (0, 0)
"""The window of a text that was never published: it contains no day."""


def day(value: date) -> int:
    """Days since 1970-01-01; dates before it are negative."""
    return value.toordinal() - EPOCH


def waited(vector: Embedded) -> Vector:
    """The vector, once it is made. Raises what its making raised."""
    return vector.result() if isinstance(vector, Future) else vector


FilterFields = tuple[int, str, int, int, str, bool, str, str]
"""Revision, audience, valid_from, valid_until, standing, owned, corpus, area: what a search is filtered on."""


class EngineUnavailable(TryLater):
    """The engine did not answer. Never to be read as "no results"."""


class IndexOutdated(EngineUnavailable):
    """The index was laid out by another version of the engine: nothing can be read from it or written to it."""


def vector_fingerprint(vector: Vector) -> str:
    """What stored vectors are compared by: 16 hexadecimal digits of the hash of its half-precision numbers."""
    return hashlib.blake2b(vector.astype("<f2").tobytes(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """One chunk as an engine holds it. `[valid_from, valid_until)` in days since 1970-01-01.

    `standing` is `role` where a window that has ended asks for the role history, else `open`. `vector` has unit
    length.
    """

    chunk_id: int
    revision_id: int
    audience: str
    valid_from: int
    valid_until: int
    standing: str
    owned: bool
    corpus: Corpus
    area: str
    heading: str
    text: str
    vector: Vector

    @property
    def filter_fields(self) -> FilterFields:
        return (
            self.revision_id,
            self.audience,
            self.valid_from,
            self.valid_until,
            self.standing,
            self.owned,
            str(self.corpus),
            self.area,
        )


@dataclass(frozen=True, slots=True)
class Held:
    """What an engine holds of one chunk; `vector` is the fingerprint of its vector, empty where there is none.

    `differs` names the parts or copies of the engine that lack it or say otherwise.
    """

    fields: FilterFields
    vector: str
    differs: tuple[str, ...] = ()

    @property
    def revision_id(self) -> int:
        return self.fields[0]

    @property
    def whole(self) -> bool:
        return not self.differs


@dataclass(frozen=True, slots=True)
class Filter:
    """What may be ranked at all. `inverted` asks for the rest instead: only explanations use it."""

    audiences: frozenset[str]
    on: date
    today: date
    reads_history: bool
    corpus: Corpus
    area: str | None = None
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """One search: its text for the lexical half, its vector for the other. Either may be missing."""

    text: str
    vector: Embedded | None


@dataclass(frozen=True, slots=True)
class Hit:
    chunk_id: int
    score: float


@dataclass(frozen=True, slots=True)
class Lists:
    """Two ranked lists, best first; ties are in the order of chunk ids."""

    lexical: tuple[Hit, ...]
    vector: tuple[Hit, ...]


class Engine(Protocol):
    """Holds entries by index version. Every method raises `EngineUnavailable` when it can't be answered, and
    `IndexOutdated` when the version was made under another `layout`.
    """

    name: str
    layout: str
    """Changes with all that decides the form of an index: fields, analysis, settings."""

    def create(self, version: int, dimensions: int) -> None:
        """Make an empty index for a version; what is there stays. Safe to repeat."""

    def put(self, version: int, entries: Sequence[Entry], revisions: Iterable[int]) -> None:
        """Make the index hold exactly `entries` for `revisions`: add, replace and remove in one visible step."""

    def refilter(self, version: int, entries: Sequence[Entry]) -> None:
        """Rewrite filter fields and words of entries that are held: a change of scope renames a heading's units.

        Vectors are not touched: the ones given may be empty.
        """

    def finish(self, version: int) -> None:
        """After a bulk load: whatever makes searches fast (statistics, merging, graph)."""

    def activate(self, version: int) -> None:
        """Tell those who look into the engine by name that this version answers. Which one does is in the tables."""

    def search(self, version: int, query: Query, filters: Sequence[Filter], limit: int) -> list[Lists]:
        """One `Lists` for each filter, in order. An empty audience is nothing, without a call."""

    def lexical_scores(self, version: int, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        """Lexical scores of given chunks; a chunk without a match is missing."""

    def document_frequency(self, version: int, terms: Sequence[str]) -> dict[str, int]:
        """How many chunks of the index hold each analysed term."""

    def known(self, version: int, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        """Which analysed terms stand somewhere in what passes any of the filters."""

    def size(self, version: int) -> int:
        """How many chunks the index holds."""

    def held(
        self, version: int, revisions: Sequence[int] | None = None, *, every_copy: bool = False
    ) -> dict[int, Held]:
        """What the index holds, of everything or of some revisions, by chunk id. With `every_copy` each replica that
        can be addressed is read too, and named where it differs.
        """

    def drop(self, version: int) -> None:
        """Forget a version. Safe to repeat."""
