"""The values that pass between the steps of the pipeline: frozen, free of any framework."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from documents.rules.passage import Passage
from documents.rules.types import GlossaryTerm


class Status(StrEnum):
    ANSWERED = "answered"
    NOT_FOUND = "not_found"
    NEEDS_DATE = "needs_date"
    CONFLICT = "conflict"
    BLOCKED = "blocked"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of the conversation. `role` is `user` or `assistant`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Search:
    """One structured search: a text, and what the glossary says narrows it. `area` narrows, it never grants.

    `usage` is what the rewriting cost, on the first search alone; None when no model was called.
    """

    text: str
    area: str | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """What a generator proposes: a text, the number of the passage (from 1, in the order sent) and the quote."""

    text: str
    passage: int
    quote: str


@dataclass(frozen=True, slots=True)
class Usage:
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class Generation:
    claims: tuple[DraftClaim, ...]
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verifier's word on one claim. When `accepted`, `start` and `end` are the quote's span in `passage.text`.

    `quote` is then the literal text of the revision (not the model's spelling of it). `reason` is a stable code.
    """

    claim: DraftClaim
    accepted: bool
    reason: str
    start: int = 0
    end: int = 0
    quote: str = ""


__all__ = ["DraftClaim", "Generation", "GlossaryTerm", "Passage", "Search", "Status", "Turn", "Usage", "Verdict"]
