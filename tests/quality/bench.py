"""The ranking, refusing and quoting of the portal on a public corpus, without a database."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import TracebackType

import numpy as np

from chat.generators.evidence import Evidence
from chat.generators.extractive import Generator
from chat.rerankers.base import Asked, Candidate, Scored
from chat.rerankers.features import Reranker
from chat.rerankers.words import Vocabulary
from chat.rules import abstain, coverage
from chat.rules.quoting import READ
from chat.rules.selection import SENT
from chat.rules.types import Generation
from documents.embedders.base import Embedder, Vectors
from documents.rules.instructions import addresses_assistant, searchable
from documents.rules.passage import Passage
from documents.rules.stopwords import COMMON
from documents.rules.text_terms import TextTerms, terms_of
from documents.rules.types import Corpus
from documents.search.base import FOREVER, Entry, Filter
from documents.search.lexical import LexicalIndex
from tests.chat.rerankers.embedded_words import EmbeddedWords

LISTED = 50
DAY = date(2026, 1, 1)
FILTER = Filter(frozenset({"everyone"}), DAY, DAY, reads_history=False, corpus=Corpus.OFFICIAL)


@dataclass(frozen=True, slots=True)
class Found:
    asked: Asked
    scored: list[Scored]
    signals: abstain.Signals | None


class Bench:
    """One corpus, indexed in a temporary folder; use it as a context manager."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder) -> None:
        self._embedder = embedder
        self._folder = tempfile.TemporaryDirectory()
        self._index = LexicalIndex(Path(self._folder.name) / "lexical")
        self._index.create()
        self._reranker = Reranker()
        self.words = Vocabulary(EmbeddedWords(embedder, COMMON))
        self.passages: dict[int, Passage] = {}
        self._terms: dict[int, TextTerms] = {}
        self._row: dict[int, int] = {}
        self._vectors: Vectors = np.empty((0, embedder.dimensions), dtype=np.float32)
        self._sentences: dict[int, Vectors] = {}
        self.put(passages)

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def put(self, passages: Sequence[Passage]) -> None:
        """Add passages, or replace those of the same chunk id."""
        with self._index.writer() as writer:
            writer.put([_entry(passage) for passage in passages])
        self.passages |= {passage.chunk_id: passage for passage in passages}
        self._terms |= {p.chunk_id: terms_of(p.heading, p.text, p.sentences) for p in passages}
        rows = self._embedder.passages([f"{p.heading}: {searchable(p.text, p.sentences)}" for p in passages])
        flat = self._embedder.passages([text for passage in passages for text in _sentences(passage)])
        at = 0
        for passage, row in zip(passages, rows, strict=True):
            self._sentences[passage.chunk_id] = flat[at : at + len(passage.sentences)]
            at += len(passage.sentences)
            if passage.chunk_id not in self._row:
                self._row[passage.chunk_id] = len(self._vectors)
                self._vectors = np.vstack([self._vectors, row[None]])
            else:
                self._vectors[self._row[passage.chunk_id]] = row

    def asked(self, question: str) -> Asked:
        frequency = self._index.document_frequency(coverage.lookups(question))
        units = coverage.units(question, frequency, self._index.total)
        return Asked(question, self._embedder.query(question), units, self.words)

    def find(self, question: str) -> Found:
        """Both lists, the joint ranking, and what it says about answering."""
        asked = self.asked(question)
        lexical = {hit.chunk_id: hit.score for hit in self._index.search(question, FILTER, LISTED)}
        cosines = self._vectors @ asked.vector
        ids = np.array(list(self._row))
        nearest = [int(chunk) for chunk in ids[np.lexsort((ids, -cosines))[:LISTED]]]
        union = sorted({*lexical, *nearest})
        lexical |= self._index.scores(question, [chunk for chunk in union if chunk not in lexical])
        scored = self._reranker.rank(
            asked,
            [
                Candidate(
                    self.passages[chunk],
                    self._terms[chunk],
                    lexical.get(chunk, 0.0),
                    float(cosines[self._row[chunk]]),
                    float((self._sentences[chunk] @ asked.vector).max(initial=-1.0)),
                )
                for chunk in union
            ],
        )
        return Found(asked, scored, self._signals(asked, scored))

    def answer(self, question: str, like: Sequence[int] | None = None) -> Generation:
        """What is quoted from the best passages, whether or not the question should be refused.

        `like` are chunk ids, best first, that stand for a ranking made before.
        """
        found = self.find(question)
        listed = like or [scored.candidate.passage.chunk_id for scored in found.scored]
        best = [self.passages[chunk] for chunk in listed[:SENT]]
        evidence = Evidence(found.asked, {chunk: self._sentences[chunk] for chunk in listed})
        return Generator(evidence).generate(question, best)

    def _signals(self, asked: Asked, scored: Sequence[Scored]) -> abstain.Signals | None:
        if not scored:
            return None
        known = self._index.known(abstain.asked_about(asked.units), [FILTER])
        commonness = self.words.commonness(asked.vector)
        nearest = max(one.candidate.best_sentence for one in scored[:READ])
        unknown = abstain.unknown(asked.units, known)
        return abstain.Signals(scored[0].told, nearest - commonness, unknown, commonness)


def _sentences(passage: Passage) -> list[str]:
    texts = [passage.text[start:end] for start, end in passage.sentences]
    return [f"{passage.heading}: {'' if addresses_assistant(text) else text}" for text in texts]


def _entry(passage: Passage) -> Entry:
    return Entry(
        chunk_id=passage.chunk_id,
        revision_id=passage.chunk_id,
        audience="everyone",
        valid_from=0,
        valid_until=FOREVER,
        standing="open",
        owned=True,
        corpus=passage.corpus,
        area="",
        heading=passage.heading,
        text=searchable(passage.text, passage.sentences),
        vector=np.zeros(1, dtype=np.float32),
    )
