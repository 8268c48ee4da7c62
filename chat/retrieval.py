"""From structured searches to one ranked list, in which every candidate has a place or the reason why it has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chat.candidates import Asked, Fused, lookalikes, recheck, search, traced
from chat.parts import Parts
from chat.rerankers import base as rerankers
from chat.rules import coverage, selection
from chat.rules.naming import unnamed
from chat.rules.outcome import Stage, Traced
from chat.rules.selection import Ranked
from chat.rules.types import Search
from documents.rules.passage import Loaded
from documents.rules.terms import fold
from documents.rules.types import Corpus, Reason
from documents.search.base import Vector

Lap = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Found:
    """The joint list, best first, with what fell marked.

    `best` is what the question is judged by; `ownerless` tells that it has no owner, and so can't be quoted, and
    `unnamed` is what the question names and it does not.
    """

    question: rerankers.Asked
    ranked: list[Ranked]
    scored: list[rerankers.Scored]
    loaded: dict[int, Loaded]
    traced: list[Traced]
    stages: list[Stage]
    best: rerankers.Scored | None
    ownerless: bool
    meant: tuple[str, ...]
    unnamed: tuple[str, ...]

    @property
    def area(self) -> str | None:
        """Whose question it seems to be: the area of most of the passages that came first."""
        areas = Counter(item.passage.area for item in self.ranked[:SPEAKING])
        return areas.most_common(1)[0][0] if areas else None

    @property
    def sent(self) -> list[Ranked]:
        return [item for item in self.ranked if item.stands]


SPEAKING = 5


def retrieve(question: str, searches: Sequence[Search], asked: Asked, parts: Parts, lap: Lap) -> Found:
    vectors = parts.embed([wanted.text for wanted in searches])
    fused = search(searches, vectors, asked, parts)
    others = lookalikes(searches, vectors, asked, parts)
    stages = [_stage("search", len(fused), [item.corpus for item in fused], lap("search"))]
    checked = recheck([*fused, *others], asked, parts)
    eligible = [item.passage.corpus for item in checked.eligible]
    stages.append(_stage("recheck", len(fused), eligible, lap("filter")))
    loaded = {item.passage.chunk_id: item for item in (*checked.eligible, *checked.ownerless)}
    text = asked_of(question, _mean([vector.result() for vector in vectors]), parts)
    scored = parts.reranker.rank(text, candidates_of(loaded.values(), text, parts))
    first = scored[0] if scored else None
    ownerless = first is not None and loaded[first.candidate.passage.chunk_id].reason is Reason.NO_OWNER
    scored = [item for item in scored if loaded[item.candidate.passage.chunk_id].reason is Reason.ELIGIBLE]
    lacking = unnamed(text.units, [item.passage for item in loaded.values()])
    ranked = _select(scored, lacking, asked, parts)
    standing = next((item.passage.chunk_id for item in ranked if item.stands), None)
    best = first if ownerless else next((i for i in scored if i.candidate.passage.chunk_id == standing), None)
    left = [item.passage.corpus for item in ranked if item.stands]
    stages.append(_stage("rerank", len(scored), left, lap("rerank")))
    place = {item.chunk_id: item for item in (*fused, *others)}
    ways = [*_ways(ranked, scored, loaded, place), *checked.fallen]
    meant = tuple(wanted.text for wanted in searches[1:])
    not_named = tuple(lacking[best.candidate.passage.chunk_id]) if best else ()
    return Found(text, ranked, scored, loaded, ways, stages, best, ownerless, meant, not_named)


def _mean(vectors: Sequence[Vector]) -> Vector:
    """The question with all of its wordings: an acronym alone means little to a model."""
    total: Vector = np.sum(np.stack(vectors), axis=0, dtype=np.float32)
    mean: Vector = (total / float(np.linalg.norm(total))).astype(np.float32)
    return mean


def asked_of(question: str, vector: Vector, parts: Parts) -> rerankers.Asked:
    """The question as the ranking and the quoting see it: its vector, and what it asks about with its rarity."""
    frequency = parts.index.document_frequency(coverage.lookups(question))
    expansions = {fold(term.term): term.expansions for term in parts.corpus.glossary()}
    units = coverage.units(question, frequency, parts.index.size, expansions)
    return rerankers.Asked(question, vector, units, parts.words)


def candidates_of(loaded: Collection[Loaded], text: rerankers.Asked, parts: Parts) -> list[rerankers.Candidate]:
    """The joint list as rerankers take it: each passage with its signals for this question."""
    scores = parts.index.lexical_scores(text.text, [item.passage.chunk_id for item in loaded])
    return [
        rerankers.Candidate(
            passage=item.passage,
            terms=item.terms,
            bm25=scores.get(item.passage.chunk_id, 0.0),
            cosine=float(item.vector @ text.vector),
            best_sentence=float((item.sentence_vectors @ text.vector).max(initial=-1.0)),
        )
        for item in loaded
    ]


def _select(
    scored: Sequence[rerankers.Scored], lacking: Mapping[int, Sequence[str]], asked: Asked, parts: Parts
) -> list[Ranked]:
    ranked = [Ranked(item.candidate.passage, item.score) for item in scored]
    ranked = selection.by_naming(ranked, lacking)
    covers = {item.candidate.passage.chunk_id: item.coverage for item in scored}
    ranked = selection.by_authority(ranked, covers)
    ranked = selection.by_precedence(ranked, parts.corpus.prevails(asked.reader, asked.on))
    return selection.cut(selection.official_first(selection.without_doubles(ranked)))


def _ways(
    ranked: Sequence[Ranked],
    scored: Sequence[rerankers.Scored],
    loaded: dict[int, Loaded],
    place: dict[int, Fused],
) -> list[Traced]:
    features = {item.candidate.passage.chunk_id: dict(item.features) for item in scored}
    return [
        replace(
            traced(loaded[item.passage.chunk_id], place[item.passage.chunk_id]),
            reason=item.reason,
            features=features[item.passage.chunk_id],
            score=item.score,
            rank=rank,
        )
        for rank, item in enumerate(ranked, 1)
    ]


def _stage(name: str, entered: int, left: Sequence[Corpus], ms: float) -> Stage:
    return Stage(name, entered, len(left), ms, dict(Counter(left)))
