"""What every generator promises: claims with the passage and the literal quote that carry each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from chat.rules.types import Generation, Passage


class GenerationError(Exception):
    """The generator could not answer: the portal is unavailable, and says so."""


class Generator(Protocol):
    """Proposes claims; what it says counts only after the verifier has agreed."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def generate(self, question: str, passages: Sequence[Passage]) -> Generation:
        """Claims from the passages alone, numbered from 1 in the order given. Raises `GenerationError`."""
        ...
