"""The pipeline's parts as they would be with one more text in force. Nothing is written: only these two see it.

The rule of eligibility decides, on other facts. What is approximated: the words that only the text which would leave
force holds stay known to the refusal, and its passages still count in how rare a word is; publishing changes neither
of the two by much. The rest of a search is what the index would give once it had converged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from chat.parts import Corpus, Index
from chat.rules.types import Generation
from documents.rules import eligibility
from documents.rules.passage import Loaded, Passage
from documents.rules.types import Corpus as Shelf
from documents.rules.types import Facts, GlossaryTerm, Reader
from documents.search.base import Embedded, Filter, Hit, Lists, Query, Vector, waited


@dataclass(frozen=True, slots=True)
class Text:
    """One revision and the facts that it would have."""

    revision_id: str
    facts: Facts
    chunk_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """`published` counts from `start`; `closed`, the text in force on that day, ends there.

    `vectors` are those of the chunks of `published`, (chunks, dimensions), unit length; `stems` every stem and code of
    it; `audience` is the key of its document.
    """

    start: date
    until: date | None
    published: Text
    closed: Text | None
    vectors: Vector
    stems: frozenset[str]
    audience: str
    shelf: Shelf
    area: str

    def counts(self, on: date) -> bool:
        return self.start <= on and (self.until is None or on < self.until)


@dataclass(frozen=True, slots=True)
class WhatIfCorpus:
    """`chat.parts.Corpus` in which the hypothesis holds."""

    inner: Corpus
    hypothesis: Hypothesis

    def audiences(self, reader: Reader) -> frozenset[str]:
        return self.inner.audiences(reader)

    def load(self, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
        return [self._as_if(item, reader, on, today) for item in self.inner.load(chunk_ids, reader, on, today)]

    def still_linked(self, passages: Sequence[Passage]) -> bool:
        return self.inner.still_linked(passages)

    def glossary(self) -> Sequence[GlossaryTerm]:
        return self.inner.glossary()

    def prevails(self, reader: Reader, on: date) -> Callable[[str, str], tuple[str, bool] | None]:
        return self.inner.prevails(reader, on)

    def _as_if(self, item: Loaded, reader: Reader, on: date, today: date) -> Loaded:
        for text in (self.hypothesis.published, self.hypothesis.closed):
            if text is not None and item.passage.revision_id == text.revision_id:
                reason = eligibility.decide(reader, text.facts, on, today).reason
                window = text.facts.validity
                passage = replace(item.passage, valid_from=window.start, valid_until=window.until)
                return replace(item, passage=passage, reason=reason)
        return item


@dataclass(frozen=True, slots=True)
class WhatIfIndex:
    """`chat.parts.Index` that has converged to the hypothesis."""

    inner: Index
    hypothesis: Hypothesis

    @property
    def size(self) -> int:
        return self.inner.size

    def search(self, query: Query, filters: Sequence[Filter], limit: int) -> list[Lists]:
        closed = self.hypothesis.closed
        spare = len(closed.chunk_ids) if closed is not None else 0
        lists = self.inner.search(query, filters, limit + spare)
        scores = self.inner.lexical_scores(query.text, self.hypothesis.published.chunk_ids)
        lexical = [Hit(chunk, score) for chunk, score in scores.items()]
        near = self._near(query.vector)
        return [
            Lists(
                self._merged(found.lexical, lexical, asked, limit),
                self._merged(found.vector, near, asked, limit),
            )
            for found, asked in zip(lists, filters, strict=True)
        ]

    def lexical_scores(self, text: str, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self.inner.lexical_scores(text, chunk_ids)

    def document_frequency(self, terms: Sequence[str]) -> dict[str, int]:
        return self.inner.document_frequency(terms)

    def known(self, terms: Sequence[str], filters: Sequence[Filter]) -> frozenset[str]:
        known = self.inner.known(terms, filters)
        if any(self._passes(asked) for asked in filters):
            known |= self.hypothesis.stems & set(terms)
        return known

    def _near(self, vector: Embedded | None) -> list[Hit]:
        if vector is None or not self.hypothesis.published.chunk_ids:
            return []
        scores = self.hypothesis.vectors @ waited(vector)
        pairs = zip(self.hypothesis.published.chunk_ids, scores, strict=True)
        return [Hit(chunk, float(score)) for chunk, score in pairs]

    def _merged(self, found: Sequence[Hit], own: Sequence[Hit], asked: Filter, limit: int) -> tuple[Hit, ...]:
        if asked.inverted or not self.hypothesis.counts(asked.on):
            return tuple(found[:limit])
        closed = set(self.hypothesis.closed.chunk_ids) if self.hypothesis.closed is not None else set()
        hits = [hit for hit in found if hit.chunk_id not in closed]
        if self._passes(asked):
            hits += own
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:limit])

    def _passes(self, asked: Filter) -> bool:
        """The engine's half of the rule, for a text whose window has not ended."""
        hypothesis = self.hypothesis
        return (
            not asked.inverted
            and hypothesis.counts(asked.on)
            and hypothesis.published.facts.owner_id is not None
            and hypothesis.audience in asked.audiences
            and asked.corpus is hypothesis.shelf
            and asked.area in (None, hypothesis.area)
        )


class NoCache:
    """Remembers nothing: an answer to what is not so must not be found by who asks what is."""

    def get(self, key: str) -> Generation | None:
        return None

    def set(self, key: str, value: Generation, sent: Sequence[Passage]) -> None:
        """Nothing is kept."""
