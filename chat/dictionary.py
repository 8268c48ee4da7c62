"""The words that a question is spelled with: those of the base, and a dictionary of Portuguese."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from threading import Lock

from chat.rules.spelling import Vocabulary, mend, write_out
from documents.models import WordVector
from documents.rules.terms import fold

USUAL = 10
"""How many times as often as all others together a spelling must be used to be the one that was meant."""


def spelled(question: str, fingerprint: str) -> str:
    """The question with short forms written out and slips mended."""
    last = WordVector.objects.filter(fingerprint=fingerprint).order_by("-pk").values_list("pk", flat=True).first()
    return mend(write_out(question), Vocabulary(_base(fingerprint, last or 0), portuguese))


@lru_cache(maxsize=2)
def _base(fingerprint: str, last: int) -> Mapping[str, Collection[str]]:
    """Read anew when the vocabulary has grown, which `last` tells."""
    words = WordVector.objects.filter(fingerprint=fingerprint, pk__lte=last).values_list("word", flat=True)
    spellings: dict[str, tuple[str, ...]] = {}
    for folded, word in sorted((fold(word), word) for word in words.iterator(5000)):
        spellings[folded] = (*spellings.get(folded, ()), word)
    return spellings


def portuguese() -> Mapping[str, str]:
    """Each word without its accents → how it is usually spelled, empty where that is not plain.

    Read at the first word that the base lacks: a second, and some tens of megabytes. The questions that come with it
    wait for the one that reads.
    """
    with _reading:
        return _read()


_reading = Lock()


@cache
def _read() -> Mapping[str, str]:
    from spellchecker import SpellChecker

    counts = SpellChecker(language="pt").word_frequency.dictionary
    usual: dict[str, str] = {}
    others: Counter[str] = Counter()
    for word, count in sorted(counts.items(), key=lambda item: -item[1]):
        plain = word if word.isascii() else fold(word)
        if usual.setdefault(plain, word) is not word:
            others[plain] += count
    usual.update((plain, "") for plain, count in others.items() if counts[usual[plain]] < USUAL * count)
    return usual
