"""Steps 4 and 5: each corpus searched and fused apart, then every candidate checked again where the truth is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from chat.parts import Parts
from chat.rules.fusion import fuse
from chat.rules.outcome import Traced
from chat.rules.types import Search
from documents.rules.passage import Loaded
from documents.rules.types import Corpus, Reader, Reason
from documents.search.base import Embedded, Filter, Lists, Query

LISTED = 50
"""How deep each list is read."""
KEPT = {Corpus.OFFICIAL: 60, Corpus.WIKI: 25, Corpus.MINUTES: 25}
"""How many of each corpus go into the joint list: the largest must not drown the others."""
ENOUGH = 3
"""A search narrowed to an area that finds fewer than this runs again over everything that the reader may read."""
LOOKALIKES = 10


@dataclass(frozen=True, slots=True)
class Fused:
    """One chunk of one corpus: its best rank on a lexical and on a vector list, and the fused score."""

    chunk_id: int
    corpus: Corpus
    lexical_rank: int | None
    vector_rank: int | None
    score: float


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks what about which day: what every filter of one question is made of."""

    reader: Reader
    audiences: frozenset[str]
    on: date
    today: date

    def filters(self, area: str | None = None, *, inverted: bool = False) -> list[Filter]:
        """One filter for each corpus, in the order of `Corpus`."""
        history = self.reader.reads_history
        return [Filter(self.audiences, self.on, self.today, history, corpus, area, inverted) for corpus in Corpus]


def search(searches: Sequence[Search], vectors: Sequence[Embedded], asked: Asked, parts: Parts) -> list[Fused]:
    """Candidates of every corpus, best of each first."""
    lists: dict[Corpus, list[Lists]] = {corpus: [] for corpus in Corpus}
    for wanted, vector in zip(searches, vectors, strict=True):
        query = Query(wanted.text, vector)
        found = parts.index.search(query, asked.filters(wanted.area), LISTED)
        if wanted.area is not None and sum(len(item.lexical) for item in found) < ENOUGH:
            found = parts.index.search(query, asked.filters(), LISTED)
        for corpus, item in zip(Corpus, found, strict=True):
            lists[corpus].append(item)
    return [item for corpus in Corpus for item in _fused(corpus, lists[corpus], KEPT[corpus])]


def lookalikes(searches: Sequence[Search], vectors: Sequence[Embedded], asked: Asked, parts: Parts) -> list[Fused]:
    """What would have matched had it been in force or allowed: the same call with the filter inverted."""
    found = parts.index.search(Query(searches[0].text, vectors[0]), asked.filters(inverted=True), LOOKALIKES)
    return [item for corpus, lists in zip(Corpus, found, strict=True) for item in _fused(corpus, [lists], LOOKALIKES)]


@dataclass(frozen=True, slots=True)
class Checked:
    """Candidates after the check against the tables. `ownerless` would be eligible, had they an owner."""

    eligible: list[Loaded]
    ownerless: list[Loaded]
    fallen: list[Traced]


def recheck(fused: Sequence[Fused], asked: Asked, parts: Parts) -> Checked:
    """What may be quoted now, and the reason of what may not. An index that lags or lies ends here."""
    loaded = parts.corpus.load([item.chunk_id for item in fused], asked.reader, asked.on, asked.today)
    place = {item.chunk_id: item for item in fused}
    return Checked(
        eligible=[item for item in loaded if item.reason is Reason.ELIGIBLE],
        ownerless=[item for item in loaded if item.reason is Reason.NO_OWNER],
        fallen=[traced(item, place[item.passage.chunk_id]) for item in loaded if item.reason is not Reason.ELIGIBLE],
    )


def traced(item: Loaded, place: Fused) -> Traced:
    return Traced(
        chunk_id=item.passage.chunk_id,
        document=item.passage.document,
        revision=item.passage.revision,
        corpus=item.passage.corpus,
        reason=item.reason,
        lexical_rank=place.lexical_rank,
        vector_rank=place.vector_rank,
        fused=place.score,
    )


def _fused(corpus: Corpus, lists: Sequence[Lists], most: int) -> list[Fused]:
    ranked = [[hit.chunk_id for hit in side] for pair in lists for side in (pair.lexical, pair.vector)]
    return [
        Fused(item.id, corpus, _best(item.ranks[0::2]), _best(item.ranks[1::2]), item.score)
        for item in fuse(ranked)[:most]
    ]


def _best(ranks: Sequence[int | None]) -> int | None:
    return min((rank for rank in ranks if rank is not None), default=None)
