"""One Portuguese word to its stem: singular, accents of common endings, stemmer, then plain letters.

The stemmer knows neither "caminhões" as the plural of "caminhão" nor "cartao" as "cartão"; and folding before it would
keep "aprovação" from meeting "aprovar".
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from threading import Lock

import Stemmer

# Plural endings, each with that of the singular; the first that fits. Words of up to four letters are listed.
_PLURALS = (
    ("ções", "ção"), ("coes", "ção"), ("ões", "ão"), ("oes", "ão"), ("ãos", "ão"), ("aos", "ão"), ("veis", "vel"),
    ("éis", "el"), ("ais", "al"), ("óis", "ol"), ("ens", "em"), ("éns", "ém"), ("ins", "im"), ("ons", "om"),
    ("uns", "um"),
)  # fmt: skip
# "-eis" is the plural of "-il" where the stress lies before it, else of "-el"; without accents it must be known.
_UNACCENTED = "uteis inuteis faceis dificeis ageis frageis ferteis hosteis texteis projeteis versateis portateis"
_UNACCENTED_IL = frozenset(_UNACCENTED.split())
_SHORT = {"leis": "lei", "bens": "bem", "fins": "fim", "sons": "som", "tons": "tom", "dons": "dom"}
_ENDINGS = (("cao", "ção"), ("ao", "ão"), ("encia", "ência"), ("ancia", "ância"), ("avel", "ável"), ("ivel", "ível"))
_ENDINGS_IN_PLURAL = tuple((f"{bare}s", f"{accented}s") for bare, accented in _ENDINGS[2:4])

_stemmer = Stemmer.Stemmer("portuguese", 0)
_stemmer_lock = Lock()


def fold(text: str) -> str:
    """Lower case, without accents; ligatures and full-width forms as plain letters."""
    return plain(unicodedata.normalize("NFKC", text).casefold())


def plain(text: str) -> str:
    """Without accents."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKD", text).translate(_marks)


class _Marks(dict[int, int | None]):
    """For `str.translate`: combining marks go, every other character stays; filled as characters come."""

    def __missing__(self, letter: int) -> int | None:
        kept = None if unicodedata.combining(chr(letter)) else letter
        self[letter] = kept
        return kept


_marks = _Marks()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The folded stem of one lower-case word; digits stay."""
    known = _accented(_singular(word))
    with _stemmer_lock:  # the C stemmer is not safe to share between threads
        return plain(_stemmer.stemWord(known))


def _singular(word: str) -> str:
    if len(word) < 5:
        return _SHORT.get(word, word)
    if word.endswith("eis") and not word.endswith("veis"):
        return word[:-3] + ("il" if word in _UNACCENTED_IL or not word.isascii() else "el")
    return _replaced(word, _PLURALS)


def _accented(word: str) -> str:
    return _replaced(word, (*_ENDINGS, *_ENDINGS_IN_PLURAL)) if word.isascii() and len(word) > 3 else word


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            return word[: -len(ending)] + other
    return word
