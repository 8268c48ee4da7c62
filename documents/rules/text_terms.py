"""What ranking needs to know of the words of a text: worked out once when the text is cut, and kept beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from documents.rules import instructions, terms
from documents.rules.terms import analyse

VERSION = f"terms-{terms.VERSION} instructions-{instructions.VERSION}"
"""Of everything that `terms_of` depends on beside the text."""


@dataclass(frozen=True, slots=True)
class TextTerms:
    """What coverage needs of a text: `stems` with its codes, and its distinct words in their own spelling."""

    stems: frozenset[str]
    surfaces: tuple[str, ...]


def text_terms(text: str) -> TextTerms:
    analysed = analyse(text)
    words = {token.surface: None for token in analysed.tokens if not token.number}
    return TextTerms(frozenset((*analysed.stems, *analysed.codes)), tuple(words))


def terms_of(text: str, sentences: Sequence[tuple[int, int]]) -> TextTerms:
    """The terms of a passage, of which what speaks to the assistant is left out. `sentences` are relative to it."""
    return text_terms(instructions.searchable(text, sentences))


def under(heading: str, text: TextTerms) -> TextTerms:
    """The terms of a text with those of the heading that it stands under."""
    above = _of_heading(heading)
    return TextTerms(above.stems | text.stems, tuple(dict.fromkeys((*above.surfaces, *text.surfaces))))


_of_heading = lru_cache(maxsize=4096)(text_terms)


def packed(found: TextTerms) -> list[str]:
    """As it is kept: the version, the stems, the words."""
    return [VERSION, " ".join(sorted(found.stems)), " ".join(found.surfaces)]


def unpacked(kept: Sequence[str] | None) -> TextTerms | None:
    """What was kept; None where it is missing or of another version."""
    if kept is None or kept[0] != VERSION:
        return None
    _version, stems, surfaces = kept
    return TextTerms(frozenset(stems.split()), tuple(surfaces.split()))
