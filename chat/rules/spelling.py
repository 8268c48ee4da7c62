"""Questions as they are typed on a phone: short forms written out, and slips mended with the words of the base.

A word typed without its accents gets them back where there is one way to spell it: a model takes "reuniao" for another
word than "reunião". What is a word neither of the base nor of the language is mended into a word of the base, one or
two letters away. Names, codes and numbers stay as they are: "CD-Manaus" must not become a place that exists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from documents.rules.stopwords import STOP
from documents.rules.terms import analyse_question, fold

SHORT = {
    "qto": "quanto", "qtos": "quantos", "qta": "quanta", "qtas": "quantas", "qnto": "quanto", "qntos": "quantos",
    "qnta": "quanta", "qntas": "quantas", "qnt": "quanto", "qt": "quanto", "qdo": "quando", "qnd": "quando",
    "qndo": "quando", "ql": "qual", "qq": "qualquer", "q": "que", "oq": "o que", "oque": "o que", "pq": "por que",
    "hj": "hoje", "tb": "também", "tbm": "também", "vc": "você", "vcs": "vocês", "msm": "mesmo", "dps": "depois",
    "td": "tudo", "tds": "todos", "mto": "muito", "mt": "muito", "mta": "muita", "mtas": "muitas", "mtos": "muitos",
    "eh": "é", "ñ": "não", "n": "não", "naum": "não", "p": "para", "pro": "para o", "pros": "para os", "c": "com",
    "cmg": "comigo", "add": "adicionar", "min": "minutos", "hr": "hora", "hrs": "horas", "func": "funcionário",
    "doc": "documento", "docs": "documentos", "obg": "obrigado", "pfv": "por favor", "pfvr": "por favor",
}  # fmt: skip
"""Spellings that stand for one word only. A single letter counts where it stands alone in lower case."""

SHORTEST_ACCENTED = 3
"""Letters from which a word gets its accents back: "e" and "é" are both all over a question."""
SHORTEST = 5
TWO_SLIPS_FROM = 8

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`base` has the words of the texts by their folded form, sorted, each with the spellings that the texts use.

    `language` is a dictionary: the usual spelling by folded form, "" where two are about as usual. It is asked only
    about what `base` does not settle.
    """

    base: Mapping[str, Collection[str]]
    language: Callable[[], Mapping[str, str]]

    def has(self, word: str) -> bool:
        return word in self.base or word in self.language()

    def usual(self, word: str) -> str | None:
        """How a folded word is spelled, if there is one way to."""
        known = self.base.get(word, ())
        if len(known) == 1:
            return next(iter(known))
        usual = self.language().get(word)
        return usual if usual and (not known or usual in known) else None


def write_out(question: str) -> str:
    """The question with its short forms as words; everything else stays to the letter."""
    return _WORD.sub(lambda match: SHORT.get(match.group(), match.group()), question)


def mend(question: str, vocabulary: Vocabulary) -> str:
    """The question with its accents, and with what is no word at all spelled as the base spells the nearest one."""
    names = {token.surface for token in analyse_question(question).tokens if token.name}

    def better(match: re.Match[str]) -> str:
        word = match.group()
        plain = fold(word)
        if len(word) < SHORTEST_ACCENTED or not word.islower() or "-" in word or word in names:
            return word
        usual = vocabulary.usual(plain) if word not in STOP else None
        if usual is not None and _accents(usual) > _accents(word):
            return usual
        if len(word) < SHORTEST or vocabulary.has(plain):
            return word
        near = nearest(plain, vocabulary.base)
        return (vocabulary.usual(near) or near) if near else word

    return _WORD.sub(better, question)


def _accents(word: str) -> int:
    return sum(not letter.isascii() for letter in word)


def nearest(word: str, vocabulary: Iterable[str]) -> str | None:
    """The one nearest word with the same first letter, if it is near enough and no other is as near."""
    slips = 2 if len(word) >= TWO_SLIPS_FROM else 1
    same = [other for other in vocabulary if other[0] == word[0] and abs(len(other) - len(word)) <= slips]
    found = process.extract(word, same, scorer=OSA.distance, score_cutoff=slips, limit=2)
    if not found or (len(found) == 2 and found[0][1] == found[1][1] and found[0][1] > 1):
        return None
    return str(found[0][0])
