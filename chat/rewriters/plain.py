"""Searches from the glossary alone: acronyms and jargon spelled out as the documents write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chat.rules.types import GlossaryTerm, Search
from documents.rules.stopwords import STOP
from documents.rules.terms import fold

MAX_SEARCHES = 3

# An acronym that is also a word of the language counts only as written: "TI" is not "ti", "ATA" not "ata".
_COMMON = "ti vi ia ir li ri ata par dia som pai ar ato era sou rua sal via cor mar"
_WORDS = frozenset(_COMMON.split()) | STOP


@dataclass(frozen=True, slots=True)
class _Found:
    """A glossary entry in the question: `question[start:end]` as the person typed it."""

    start: int
    end: int
    entry: GlossaryTerm


class Rewriter:
    """The question itself, then with each term followed by its expansion, then with the second expansions instead.

    The area of the glossary narrows the added searches, and only where all terms that name one agree.
    """

    name = "plain"
    version = "1"

    def rewrite(self, question: str, glossary: Sequence[GlossaryTerm]) -> list[Search]:
        found = _terms_in(question, glossary)
        if not found:
            return [Search(question)]
        areas = {item.entry.area for item in found if item.entry.area}
        area = areas.pop() if len(areas) == 1 else None
        texts = [_told(question, found, _extended)]
        if any(len(item.entry.expansions) > 1 for item in found):
            texts.append(_told(question, found, _replaced))
        added = [Search(text, area) for text in dict.fromkeys(texts) if text != question]
        return [Search(question), *added][:MAX_SEARCHES]


def _extended(typed: str, entry: GlossaryTerm) -> str:
    return f"{typed} {entry.expansions[0]}"


def _replaced(_typed: str, entry: GlossaryTerm) -> str:
    return entry.expansions[min(1, len(entry.expansions) - 1)]


def _told(question: str, found: Sequence[_Found], say: Callable[[str, GlossaryTerm], str]) -> str:
    for item in reversed(found):
        said = say(question[item.start : item.end], item.entry)
        question = f"{question[: item.start]}{said}{question[item.end :]}"
    return question


def _terms_in(question: str, glossary: Sequence[GlossaryTerm]) -> list[_Found]:
    """The entries that the question uses and doesn't spell out itself, without overlap, longer terms first."""
    plain = _folded(question)
    found: list[_Found] = []
    for entry in sorted(glossary, key=lambda entry: -len(entry.term)):
        expansions = tuple(text for text in entry.expansions if text.strip())
        if not entry.term.strip() or not expansions or any(_folded(text) in plain for text in expansions):
            continue
        exact = _only_as_written(entry.term)
        text, term = (question, entry.term) if exact else (plain, _folded(entry.term))
        # "SLAs" is the plural of "SLA"; "CD" inside "CD-SP" is not the term "CD".
        for match in re.finditer(rf"(?<![\w-]){re.escape(term)}s?(?![\w-])", text):
            if not any(item.start < match.end() and match.start() < item.end for item in found):
                found.append(_Found(match.start(), match.end(), GlossaryTerm(entry.term, expansions, entry.area)))
    return sorted(found, key=lambda item: item.start)


def _only_as_written(term: str) -> bool:
    return term.isupper() and term.lower() in _WORDS


def _folded(text: str) -> str:
    """Folded letter for letter, so that offsets stay those of the text."""
    return "".join(fold(letter)[:1] or letter for letter in text)
