"""The reranker that needs no model: four signals, standardised over the list and added up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chat.rerankers.base import Asked, Candidate, Scored
from chat.rules import ranking
from chat.rules.coverage import coverage, matches, told
from documents.rules import terms


class Reranker:
    """z(BM25) + z(cosine) + z(best sentence) + z(soft coverage), then what a source's authority takes off."""

    @property
    def fingerprint(self) -> str:
        return f"features-2/terms-{terms.VERSION}"

    def rank(self, asked: Asked, candidates: Sequence[Candidate]) -> list[Scored]:
        if not candidates:
            return []
        found = matches(asked.units, [candidate.terms for candidate in candidates], asked.words)
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
