"""The reranker that needs no model: four signals, standardised over the list and added up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from chat.rerankers.base import Asked, Candidate, Scored
from chat.rules import ranking
from chat.rules.coverage import TextTerms, coverage, matches, text_terms, told
from documents.rules import terms
from documents.rules.instructions import searchable
from documents.rules.passage import Passage

_REMEMBERED = 20_000


class Reranker:
    """z(BM25) + z(cosine) + z(best sentence) + z(soft coverage), then what a source's authority takes off."""

    def __init__(self) -> None:
        self._terms = TermsCache(_REMEMBERED)

    @property
    def fingerprint(self) -> str:
        return f"features-2/terms-{terms.VERSION}"

    def rank(self, asked: Asked, candidates: Sequence[Candidate]) -> list[Scored]:
        if not candidates:
            return []
        texts = [self._terms.of(candidate.passage) for candidate in candidates]
        found = matches(asked.units, texts, asked.words)
        rest = told(asked.units, found)
        columns = {
            "bm25": np.array([candidate.bm25 for candidate in candidates], dtype=np.float32),
            "cosine": np.array([candidate.cosine for candidate in candidates], dtype=np.float32),
            "best_sentence": np.array([candidate.best_sentence for candidate in candidates], dtype=np.float32),
            "coverage": coverage(asked.units, found),
        }
        authority = np.array([ranking.AUTHORITY[candidate.passage.authority] for candidate in candidates])
        scores = ranking.total(list(columns.values())) + authority
        standard = {f"z_{name}": ranking.standard(column) for name, column in columns.items()}
        scored = [
            Scored(
                candidate,
                float(scores[row]),
                float(columns["coverage"][row]),
                float(rest[row]),
                {name: float(column[row]) for name, column in {**columns, **standard}.items()}
                | {"authority": float(authority[row])},
            )
            for row, candidate in enumerate(candidates)
        ]
        return sorted(scored, key=lambda one: (-round(one.score, 5), one.candidate.passage.chunk_id))


class TermsCache:
    """The terms of the passages that were asked for last: a passage is analysed once, not at every question."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[tuple[str, str], TextTerms] = OrderedDict()
        self._lock = Lock()

    def of(self, passage: Passage) -> TextTerms:
        key = (passage.text_hash, passage.heading)
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
                return known
        made = text_terms(passage.heading, searchable(passage.text, passage.sentences))
        with self._lock:
            self._known[key] = made
            while len(self._known) > self._size:
                self._known.popitem(last=False)
        return made
