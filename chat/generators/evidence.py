"""What the pipeline already knows of a question when it generates, for generators that can use it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from chat.generators.base import Generator
from chat.rerankers.base import Asked
from documents.embedders.base import Vectors


@dataclass(frozen=True, slots=True)
class Evidence:
    """`sentence_vectors` by chunk id, each (sentences, dimensions), unit length, made with their heading.

    `meant` are the question's other wordings, with the glossary's words in place of its acronyms.
    """

    asked: Asked
    sentence_vectors: Mapping[int, Vectors]
    meant: tuple[str, ...] = ()


@runtime_checkable
class UsesEvidence(Protocol):
    """A generator that is given the evidence of one question before it generates."""

    def informed(self, evidence: Evidence) -> Generator:
        """A generator for that one question; the original stays as it was, so threads may share it."""
        ...
