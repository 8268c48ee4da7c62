"""What a structured completion gives, what it costs, and how it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from chat.rules.types import Usage

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Price of a million tokens, in the currency that the installation reports. Cached tokens are prompt tokens too."""

    prompt: float = 0.0
    cached: float = 0.0
    completion: float = 0.0

    @classmethod
    def of(cls, prices: Mapping[str, float] | None) -> Prices:
        """From an option such as `{"prompt": 2.5, "cached": 1.2, "completion": 10}`. Raises TypeError on other keys."""
        return cls(**dict(prices or {}))

    def usage(self, prompt_tokens: int, cached_tokens: int, completion_tokens: int) -> Usage:
        cached = min(cached_tokens, prompt_tokens)
        cost = (prompt_tokens - cached) * self.prompt + cached * self.cached + completion_tokens * self.completion
        return Usage(prompt_tokens, cached, completion_tokens, cost / MILLION)


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of a complete answer (JSON by the schema asked for, not yet read) and what it cost."""

    text: str
    usage: Usage = field(default_factory=Usage)


class ChatError(Exception):
    """No usable answer: not reached, refused, cut short or too large. `usage` is what was spent all the same."""

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()
