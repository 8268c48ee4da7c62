"""What every rewriter promises: one question as one or more structured searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from chat.rules.types import GlossaryTerm, Search


class Rewriter(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def rewrite(self, question: str, glossary: Sequence[GlossaryTerm]) -> list[Search]:
        """The question itself first, then at most two more; an area narrows a search, it never grants."""
        ...
