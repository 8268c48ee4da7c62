"""What ranking needs to know of the words of a text: worked out once when the text is cut, and kept beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from documents.rules import instructions, terms
from documents.rules.terms import analyse

VERSION = f"1 terms-{terms.VERSION} instructions-{instructions.VERSION}"
"""Of everything that `terms_of` depends on beside the text."""


@dataclass(frozen=True, slots=True)
class TextTerms:
    """What coverage needs of a text: `stems` with its codes, and its distinct words in their own spelling."""

    stems: frozenset[str]
    surfaces: tuple[str, ...]

    def and_of(self, other: TextTerms) -> TextTerms:
        """Both, the words of the other after one's own."""
        return TextTerms(self.stems | other.stems, tuple(dict.fromkeys((*self.surfaces, *other.surfaces))))


def text_terms(text: str) -> TextTerms:
    analysed = analyse(text)
    words = {token.surface: None for token in analysed.tokens if not token.number}
    return TextTerms(frozenset((*analysed.stems, *analysed.codes)), tuple(words))


def terms_of(heading: str, text: str, sentences: Sequence[tuple[int, int]]) -> TextTerms:
    """The terms of a passage under its heading, without what speaks to the assistant. Spans are relative to `text`."""
    return text_terms(heading).and_of(text_terms(instructions.searchable(text, sentences)))


def packed(found: TextTerms) -> list[str]:
    """As it is kept: the version, the stems, the words."""
    return [VERSION, " ".join(sorted(found.stems)), " ".join(found.surfaces)]


def unpacked(kept: Sequence[str | None]) -> TextTerms | None:
    """What was kept, part by part; None where it is missing or of another version."""
    version, stems, surfaces = kept
    if version != VERSION or stems is None or surfaces is None:
        return None
    return TextTerms(frozenset(stems.split()), tuple(surfaces.split()))
