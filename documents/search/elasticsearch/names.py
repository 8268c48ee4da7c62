"""What the indices of a version are called."""

from __future__ import annotations

from documents.rules.types import Corpus

Indices = dict[Corpus, str]


def indices_of(prefix: str, version: int) -> Indices:
    return {corpus: f"{prefix}-{version}-{corpus}" for corpus in Corpus}


def write_alias(index: str) -> str:
    """Writes go through it, so that one to an index that is lost fails instead of making it anew."""
    return f"{index}-write"
