"""What every reranker promises, and the values it works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from chat.rules.coverage import Unit, Words
from documents.rules.passage import Passage
from documents.rules.text_terms import TextTerms

Vector = NDArray[np.float32]


class RerankerUnavailable(RuntimeError):
    """The model cannot be used now; the message is for the operator."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A standalone question with what is known of it: its vector (d,), what it asks about, and the word vectors.

    Without `words` only exact matches count as covered.
    """

    text: str
    vector: Vector
    units: tuple[Unit, ...]
    words: Words | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage of the joint list, and the `terms` of its heading and text.

    `bm25` is 0 where no word matches; `best_sentence` is the cosine of its best one.
    """

    passage: Passage
    terms: TextTerms
    bm25: float
    cosine: float
    best_sentence: float


@dataclass(frozen=True, slots=True)
class Scored:
    """`score` orders the list and compares within it only; `coverage` (0 to 1) judges the passage across questions.

    `told` is the coverage without the question's codes and the asker's case, by which a question is refused. `features`
    is what the score was made of, for the trace.
    """

    candidate: Candidate
    score: float
    coverage: float
    told: float
    features: Mapping[str, float] = field(default_factory=dict)


class Reranker(Protocol):
    """Puts the joint list in its final order. `fingerprint` names everything that the order depends on."""

    @property
    def fingerprint(self) -> str: ...

    def rank(self, asked: Asked, candidates: Sequence[Candidate]) -> list[Scored]:
        """All candidates, best first, ties by chunk id. Raises `RerankerUnavailable`."""
        ...
