"""Joining lines: a hyphen at the end of a line is either a break in a word or part of it ("segunda-feira", "CD-SP")."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LAST = re.compile(r"([\w.:/@]*\w)[-‐]$")
_FIRST = re.compile(r"(\w+)(?:-\w+)*")
_COMPOUND = re.compile(r"\w+(?:-\w+)+")
_PREFIXES_WORDS = (
    "e ex vice pré pós pró recém além aquém bem mal não sem sota guarda porta meio meia segunda terça quarta "
    "quinta sexta sul norte sudoeste nordeste latino luso afro anglo decreto ofício carta mapa matéria mão "
    "primeiro primeira médico técnico político sócio"
)
_PREFIXES = frozenset(_PREFIXES_WORDS.split())
_SECOND_WORDS = "feira feiras prima primas obra moradia refeição refeições alimentação transporte base chefe geral"
_SECOND = frozenset(_SECOND_WORDS.split())
# Nouns whose last syllable looks like a pronoun.
_NOT_PRONOUN_WORDS = (
    "base fase frase crase análise catálise crise síntese hipótese tese ênfase dose quase pose prótese gênese "
    "diocese detalhe detalhes bilhete molho telhe"
)
_NOT_PRONOUN = frozenset(_NOT_PRONOUN_WORDS.split())


class LineJoiner:
    """Knows the words of one document, and joins its lines."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._whole: set[str] = set()
        self._compounds: set[str] = set()
        for line in lines:
            inner = line.rstrip("-‐")
            self._whole.update(word.lower() for word in re.findall(r"\w{4,}", inner))
            self._compounds.update(word.lower() for word in _COMPOUND.findall(inner))

    def join(self, left: str, right: str) -> str:
        """`left` and `right` as one line, without a hyphen that only broke a word."""
        left, right = left.rstrip(), right.lstrip()
        if not left or not right:
            return left or right
        last, first = _LAST.search(left), _FIRST.match(right)
        if not last or not first:
            return f"{left} {right}"
        if self._keeps_hyphen(last[1], first):
            return left + right
        return left[:-1] + right

    def _keeps_hyphen(self, before: str, first: re.Match[str]) -> bool:
        after = first[1]
        if not before[-1].isalpha() or not after[0].islower() or re.search(r"[./:@_\d]", before):
            return True  # codes, ranges, addresses
        word, part, low = before.lower(), first.group().lower(), after.lower()
        if f"{word}-{part}" in self._compounds:
            return True
        if word + low in self._whole:
            return False
        return _is_compound(word, low)


def _is_compound(word: str, after: str) -> bool:
    """Grammar's guess where the document itself doesn't tell: pronouns after verbs, and usual compounds."""
    if word in _PREFIXES or after in _SECOND:
        return True
    if after in ("se", "lhe", "lhes") and word + after not in _NOT_PRONOUN:
        return not word.endswith("s") and len(word) > 2
    if after in ("lo", "la", "los", "las"):
        return word[-1] in "áêíôú"
    if after in ("no", "na", "nos", "nas"):
        return word.endswith(("am", "em", "õe", "ão"))
    return False
