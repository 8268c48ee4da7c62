"""What one question came to, with everything that explains it: the value that is recorded, shown and replayed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from chat.rules.types import Search, Status, Usage, Verdict
from documents.rules.passage import Passage
from documents.rules.types import Corpus, Reason


@dataclass(frozen=True, slots=True)
class Cited:
    """A literal quote: `quote == passage.text[start:end]`."""

    passage: Passage
    start: int
    end: int

    @property
    def quote(self) -> str:
        return self.passage.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Claim:
    """A verified claim with the quotes that carry it, at least one."""

    text: str
    citations: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """How many candidates went into a step and came out, the milliseconds it took, and what came out by corpus."""

    name: str
    entered: int
    left: int
    ms: float
    by_corpus: dict[Corpus, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Traced:
    """One candidate's way through the pipeline. Ranks count from 1; None where it was not on that list.

    `reason` is `ELIGIBLE` for passages that were sent, else why the candidate fell.
    """

    chunk_id: int
    document: str
    revision: str
    corpus: Corpus
    reason: Reason
    lexical_rank: int | None = None
    vector_rank: int | None = None
    fused: float = 0.0
    features: dict[str, float] = field(default_factory=dict)
    score: float | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Versions:
    """What made the answer: enough to say later why it would come out otherwise."""

    rules: str
    index: str
    prompt: str
    verifier: str
    thresholds: str
    embedder: str
    generator: str
    reranker: str
    rewriter: str


@dataclass(frozen=True, slots=True)
class Outcome:
    status: Status
    question: str
    standalone: str
    on: date
    temporal: str
    searches: tuple[Search, ...] = ()
    claims: tuple[Claim, ...] = ()
    conflict: tuple[Cited, ...] = ()
    missing: str | None = None
    related: tuple[Cited, ...] = ()
    area: str | None = None
    sent: tuple[Passage, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cached: bool = False
    timings: dict[str, float] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    candidates: tuple[Traced, ...] = ()
    ranked: tuple[Passage, ...] = ()
    signals: dict[str, float] = field(default_factory=dict)
    error: str = ""

    @property
    def cited(self) -> tuple[Cited, ...]:
        """What the answer shows as its sources: of claims, or of a conflict."""
        return (*(cited for claim in self.claims for cited in claim.citations), *self.conflict)
