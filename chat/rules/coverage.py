"""How much of a question a text covers: the share of its content words, weighted by rarity, near-synonyms included.

A word that the text lacks counts up to `SYNONYM_WORTH` where a word of near meaning stands. Names, codes and numbers
count only exactly: "CD-RJ" says nothing about "CD-SP", and "20 dias" nothing about "30 dias".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from documents.rules.terms import Terms, Token, analyse, analyse_question, code_candidates
from documents.rules.text_terms import TextTerms

Matrix = NDArray[np.float32]

SYNONYM_WORTH = 0.7
SYNONYM_FROM = 0.3
SYNONYM_FULL = 0.6
"""Cosine of two centred word vectors from which a word counts as a synonym at all, and fully."""

CASE_WORTH = 0.25
"""What a word counts that tells the case of who asks: a rule names limits and seldom that very sum, and no today."""
_AMOUNT = re.compile(
    r"R\$\s*\d[\d.,]*(?:\s*(?:mil|milh[õo]es|milh[ãa]o)\b)?|\b\d[\d.,]*\s*(?:mil|milh[õo]es|milh[ãa]o)?\s*(?:reais|real|contos)\b"
    r"|\b\d[\d.,]*\s*mil\b",
    re.IGNORECASE,
)

_ASKERS_DAYS = frozenset({"anteontem", "ontem", "hoje", "amanha"})
_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that a question asks about. `weight` is its rarity (IDF).

    `exact` units count only as they are. `alternatives` are other ways to say it, each a group of stems that must all
    be there (the glossary's expansions of an acronym). `code` tells a code from a name or a number. `case` is what
    belongs to who asks: the sum in hand, the day on which it happened.
    """

    stem: str
    surface: str
    weight: float
    exact: bool = False
    alternatives: tuple[tuple[str, ...], ...] = ()
    code: bool = False
    case: bool = False


class Words(Protocol):
    """How near words are in meaning. `chat.rerankers.words.Vocabulary` is the one in use."""

    def nearest(self, asked: Sequence[str], texts: Sequence[tuple[str, ...]]) -> Matrix:
        """The cosine of the nearest word of each text to each word asked, (len(asked), len(texts)); 0 for no word."""
        ...

    def commonness(self, vector: Matrix) -> float:
        """The cosine of a question's vector with what all words have in common: what a cosine is measured from."""
        ...


def units(
    question: str,
    frequency: Mapping[str, int],
    total: int,
    expansions: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Unit, ...]:
    """What the question asks about. `frequency` says in how many of `total` chunks each of `lookups(question)` stands.

    `expansions` are the glossary's texts by folded term ("sla" → "prazo", "nível de serviço").
    """
    terms = analyse_question(question)
    amounts = _amounts(question)
    alternatives = {
        term: tuple(filter(None, (analyse(text).stems for text in texts))) for term, texts in (expansions or {}).items()
    }
    codes = _codes(question, terms, frequency)
    inside = {token.folded for token in terms.tokens if any(token.folded in code for code in codes)}
    found: dict[str, Unit] = {}
    for code in codes:
        found[code] = Unit(code, code, rarity(frequency.get(code, 0), total), True, alternatives.get(code, ()), True)
    for token in terms.tokens:
        if token.stem not in found and token.folded not in inside:
            others = alternatives.get(token.folded, ())
            weight = rarity(frequency.get(token.stem, 0), total)
            if token.surface in amounts or token.folded in _ASKERS_DAYS:
                found[token.stem] = Unit(token.stem, token.surface, CASE_WORTH * weight, case=True)
            else:
                found[token.stem] = Unit(token.stem, token.surface, weight, _only_exact(token), others)
    return tuple(found.values())


def _amounts(question: str) -> frozenset[str]:
    """The numbers of the case that is asked about, with their unit."""
    found = " ".join(match.group() for match in _AMOUNT.finditer(question))
    return frozenset(token.surface for token in analyse(found).tokens)


def lookups(question: str) -> tuple[str, ...]:
    """The terms whose frequency `units` wants to know."""
    terms = analyse_question(question)
    return tuple(dict.fromkeys((*terms.stems, *terms.codes, *code_candidates(question))))


def rarity(frequency: int, total: int) -> float:
    """The inverse document frequency of BM25: never negative, highest for a term that stands nowhere."""
    return log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def matches(asked: Sequence[Unit], texts: Sequence[TextTerms], words: Words | None) -> Matrix:
    """How much of each unit each text has, shape (len(asked), len(texts)), between 0 and 1."""
    found = np.zeros((len(asked), len(texts)), dtype=np.float32)
    for number, unit in enumerate(asked):
        found[number] = [unit.stem in text.stems for text in texts]
        for group in unit.alternatives:
            found[number] = np.maximum(found[number], [text.stems.issuperset(group) for text in texts])
    if words is not None:
        # All of them each time: what was worked out for the passages is then there for their sentences.
        soft = [number for number, unit in enumerate(asked) if not unit.exact]
        if soft and not found[soft].all():
            cosines = words.nearest([asked[number].surface for number in soft], [text.surfaces for text in texts])
            near = np.clip((cosines - SYNONYM_FROM) / (SYNONYM_FULL - SYNONYM_FROM), 0.0, 1.0)
            found[soft] = np.maximum(found[soft], SYNONYM_WORTH * near)
    return found


def coverage(asked: Sequence[Unit], found: Matrix) -> NDArray[np.float32]:
    """The weighted share of the units that each text has, shape (texts,); zeros for a question without content."""
    weights = np.array([unit.weight for unit in asked], dtype=np.float32)
    total = weights.sum()
    share: NDArray[np.float32] = weights @ found / total if total > 0 else np.zeros(found.shape[1], dtype=np.float32)
    return share


def told(asked: Sequence[Unit], found: Matrix) -> NDArray[np.float32]:
    """The same share of what remains without codes and the asker's case, of all where nothing else is asked.

    A passage must name the question's codes to be heard at all, so that it does says nothing more of how well it
    answers; and no rule names the very sum or day of the case.
    """
    rest = [number for number, unit in enumerate(asked) if not unit.code and not unit.case]
    return coverage([asked[number] for number in rest], found[rest]) if rest else coverage(asked, found)


def _codes(question: str, terms: Terms, frequency: Mapping[str, int]) -> tuple[str, ...]:
    """Codes written as such, and neighbouring words that the index knows as one code but not as a word."""
    stems = set(terms.stems)
    written = [*terms.codes, *(c for c in code_candidates(question) if c not in stems and frequency.get(c))]
    longest = sorted(dict.fromkeys(written), key=len, reverse=True)
    kept = [code for n, code in enumerate(longest) if not any(code in longer for longer in longest[:n])]
    return tuple(code for code in dict.fromkeys(written) if code in kept)


def _only_exact(token: Token) -> bool:
    # A word without a vowel is an acronym, whatever its case ("cnpj", "cdsp").
    return token.number or token.name or _VOWELS.isdisjoint(token.folded)
