"""Answers in the documents' own words: the one to three sentences that answer, quoted whole. No model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from chat.generators.evidence import Evidence
from chat.rerankers.base import Asked
from chat.rules.answer_types import AnswerType, answer_type
from chat.rules.coverage import coverage, lookups, matches, units
from chat.rules.quoting import READ, USUAL_SPREAD, Weighed, weigh, whole
from chat.rules.types import DraftClaim, Generation
from documents.embedders.base import Vectors
from documents.rules.instructions import addresses_assistant
from documents.rules.passage import Passage
from documents.rules.terms import analyse
from documents.rules.text_terms import TextTerms, text_terms

CLAIMS = 3
NEAR = 0.35
"""How far behind the best sentence another one may stay and still be shown."""
MEASURABLE = 30
"""How many passages it takes to measure how far cosines spread; below, one could change the measure."""


@dataclass(frozen=True, slots=True)
class _Quotable:
    """One sentence that may be quoted: passage index, number in it, text."""

    passage: int
    number: int
    text: str


class Generator:
    """Informed with evidence it weighs meaning too; without, it goes by the words of the passages alone."""

    name = "extractive"
    version = "2"

    def __init__(self, evidence: Evidence | None = None) -> None:
        self._evidence = evidence

    def informed(self, evidence: Evidence) -> Generator:
        return Generator(evidence)

    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        """Each claim's text is its quote: literal, of one passage, from a first sentence's start to a last one's end.

        No sentence that speaks to the assistant is weighed, or lies inside a quote.
        """
        read = list(passages[:READ])
        barred = [_barred(passage) for passage in read]
        quotable = [
            _Quotable(place, number, passage.text[start:end])
            for place, passage in enumerate(read)
            for number, (start, end) in enumerate(passage.sentences)
            if number not in barred[place]
        ]
        if not quotable:
            return Generation(())
        terms = [sentence_terms(read[one.passage].heading, one.text) for one in quotable]
        asked = self._evidence.asked if self._evidence is not None else _by_words(question, terms)
        meant = self._evidence.meant if self._evidence is not None else ()
        # An acronym may hide what is asked for: "qual o SLA" asks for a "prazo".
        kind = next((found for text in (question, *meant) if (found := answer_type(text))), None)
        weighed = weigh(
            kind,
            [(one.passage, one.number, one.text) for one in quotable],
            coverage(asked.units, matches(asked.units, terms, asked.words)),
            self._cosines(asked, read, quotable),
            self._spread(asked),
        )
        return Generation(tuple(_claims(weighed, read, kind, barred)))

    def _cosines(self, asked: Asked, read: Sequence[Passage], quotable: Sequence[_Quotable]) -> Vectors:
        cosines = np.zeros(len(quotable), dtype=np.float32)
        if self._evidence is None:
            return cosines
        for row, one in enumerate(quotable):
            vectors = self._evidence.sentence_vectors.get(read[one.passage].chunk_id)
            if vectors is not None and one.number < len(vectors):
                cosines[row] = vectors[one.number] @ asked.vector
        return cosines

    def _spread(self, asked: Asked) -> float:
        """Of the cosines of what was found: what a model calls near differs from model to model.

        Each passage counts by its best sentence, so that no passage can move the measure by having many.
        """
        vectors = self._evidence.sentence_vectors.values() if self._evidence is not None else ()
        best = [float((rows @ asked.vector).max()) for rows in vectors if len(rows)]
        return float(np.std(best)) or USUAL_SPREAD if len(best) >= MEASURABLE else USUAL_SPREAD


_of_heading = lru_cache(maxsize=4096)(text_terms)


@lru_cache(maxsize=20_000)
def sentence_terms(heading: str, sentence: str) -> TextTerms:
    """The terms of a sentence with its heading, which says what the sentence is about."""
    return _of_heading(heading).and_of(text_terms(sentence))


def _claims(
    weighed: Sequence[Weighed], read: Sequence[Passage], kind: AnswerType | None, barred: Sequence[frozenset[int]]
) -> list[DraftClaim]:
    claims: list[DraftClaim] = []
    taken: list[tuple[int, int, int]] = []
    for one in weighed:
        if len(claims) == CLAIMS or one.score < weighed[0].score - NEAR:
            break
        passage = read[one.passage]
        start, end = whole(passage, one.sentence, kind, barred[one.passage])
        quote = passage.text[start:end]
        again = any(place == one.passage and start < until and since < end for place, since, until in taken)
        if not again and all(quote != claim.quote for claim in claims):
            taken.append((one.passage, start, end))
            claims.append(DraftClaim(quote, one.passage + 1, quote))
    return claims


def _barred(passage: Passage) -> frozenset[int]:
    """The sentences that speak to the assistant, and those that say nothing: rules, numbering, leftovers of a table."""
    return frozenset(
        number
        for number, (start, end) in enumerate(passage.sentences)
        if addresses_assistant(passage.text[start:end]) or not analyse(passage.text[start:end]).tokens
    )


def _by_words(question: str, terms: Sequence[TextTerms]) -> Asked:
    """The question as the passages alone show it: a word is rare that few of their sentences have."""
    frequency = {term: sum(term in one.stems for one in terms) for term in lookups(question)}
    return Asked(question, np.zeros(1, dtype=np.float32), units(question, frequency, max(len(terms), 1)))
