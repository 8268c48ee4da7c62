"""The words that a question is spelled with: those of the base, and a dictionary of Portuguese."""

from __future__ import annotations

from collections.abc import Container
from functools import cache, lru_cache

from chat.rules.spelling import Vocabulary, mend, write_out
from documents.models import WordVector
from documents.rules.terms import fold


def spelled(question: str, fingerprint: str) -> str:
    """The question with short forms written out and slips mended."""
    last = WordVector.objects.filter(fingerprint=fingerprint).order_by("-pk").values_list("pk", flat=True).first()
    return mend(write_out(question), Vocabulary(_base(fingerprint, last or 0), _portuguese))


@lru_cache(maxsize=2)
def _base(fingerprint: str, last: int) -> tuple[str, ...]:
    """Read anew when the vocabulary has grown, which `last` tells."""
    words = WordVector.objects.filter(fingerprint=fingerprint, pk__lte=last).values_list("word", flat=True)
    return tuple(sorted({fold(word) for word in words.iterator(5000)}))


@cache
def _portuguese() -> Container[str]:
    # Read at the first word that the base lacks: a second, and some tens of megabytes.
    from spellchecker import SpellChecker

    return frozenset(fold(word) for word in SpellChecker(language="pt").word_frequency.dictionary)
