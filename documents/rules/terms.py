"""Portuguese text to terms: one analysis for the index, the question and the coverage of one by the other.

A word is dropped if it is a stop word, then stemmed, then folded to plain letters. Numbers lose their thousands
separators; codes ("CD-SP", "ANTT 5.947", "POL-2021-0123") are also kept whole, without separators, so that they are
found exactly however they are typed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from documents.rules.stemming import fold, plain, stem
from documents.rules.stopwords import FILLERS, STOP

__all__ = ["VERSION", "Terms", "Token", "analyse", "analyse_question", "code_candidates", "fold", "stem"]

# Any change that alters a term must change this: an index made by another version cannot be searched.
VERSION = 2

_TOKEN = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?(?!\d)|\d+(?:,\d+)?|[^\W\d_]+")
_GAP = re.compile(r"[\s\-–_./]{0,2}")
_NUMBER_SIGN = re.compile(r"\b[nN](?:\.|o|\.o|úmero)?\s+(?=\d)")
# Only from where a word begins: from everywhere in one, a very long word would take seconds.
# Possessive, as what follows a run is none of it: a plain word is left at its end, not tried again from each letter.
_JOINED = re.compile(r"(?<![^\W_])(?:[^\W_]++(?:[-–_./][^\W_]++)++|[^\W\d_]++\d++[^\W_]*+|\d++[^\W\d_]++\d[^\W_]*+)")
# What stands before is looked at afterwards: a pattern that begins with letters is searched for many times as fast.
_ACRONYM_NUMBER = re.compile(r"([A-ZÀ-Ý]{2,8})\s+(\d{1,3}(?:\.\d{3})+|\d+)(?![\d,]|[-–_]\w)")
_BEGINS = re.compile(r"(?<![^\W_])(?<![-–_./])")
_SENTENCE_START = re.compile(r"[.!?:;\n][\s\"'“‘(\[\-–•]*$")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_SIGNS = (("º", " "), ("ª", " "), ("°", " "), ("\u00ad", ""))
_LONGEST_CODE = 24
_VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class Token:
    """One content word or number. `surface` is lower case with its accents.

    `name` if written as one: an acronym, or with a capital where no sentence starts.
    """

    stem: str
    folded: str
    surface: str
    name: bool

    @property
    def number(self) -> bool:
        return self.stem[0].isdigit()


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a text, in order and with repetition; `codes` without repetition."""

    tokens: tuple[Token, ...]
    codes: tuple[str, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(token.stem for token in self.tokens)

    @property
    def folded(self) -> tuple[str, ...]:
        return tuple(token.folded for token in self.tokens)


@lru_cache(maxsize=4096)
def analyse(text: str) -> Terms:
    """The content terms of a text that is indexed. Remembered: what is cut is analysed again for its words and its
    entry, a moment later.
    """
    clean = _clean(text)
    return Terms(tuple(_tokens(clean, frozenset())), _codes(clean))


def analyse_question(text: str) -> Terms:
    """The content terms of a question, without what people wrap a question in.

    `codes` are those written as one ("CD-SP", "NR 35"), whether the base has them or not; see `code_candidates`.
    """
    clean = _clean(text)
    tokens = tuple(_tokens(clean, _FILLERS))
    return Terms(tokens or tuple(_tokens(clean, frozenset())), _codes(clean))


def code_candidates(text: str) -> tuple[str, ...]:
    """Every way to read up to four neighbouring pieces as one code ("cd sp" → "cdsp"): to be looked up in an index.

    A word without content is no part of a code ("cor da" is not "corda"), and a word that can be spoken is none alone.
    """
    clean = _NUMBER_SIGN.sub("", _clean(text))
    pieces = [(match.start(), match.end(), _piece(match.group())) for match in _TOKEN.finditer(clean)]
    found: dict[str, None] = {}
    for first in range(len(pieces)):
        joined = ""
        for last in range(first, min(first + 4, len(pieces))):
            if not (pieces[last][2][0].isdigit() or _content(pieces[last][2])):
                break
            if last > first and not _GAP.fullmatch(clean, pieces[last - 1][1], pieces[last][0]):
                break
            joined += pieces[last][2]
            alone = first == last and joined.isalpha() and not _VOWELS.isdisjoint(joined)
            if 2 <= len(joined) <= _LONGEST_CODE and not joined.isdigit() and not alone:
                found[joined] = None
    return tuple(found)


def _clean(text: str) -> str:
    # Ordinal signs go before NFKC, which would make letters of them ("5º" → "5o"); soft hyphens sit inside words.
    for sign, plainly in _SIGNS:
        text = text.replace(sign, plainly)
    return unicodedata.normalize("NFKC", text)


def _tokens(text: str, dropped: frozenset[str]) -> list[Token]:
    tokens = []
    shouting = _shouting(text)
    for match in _TOKEN.finditer(text):
        raw = match.group()
        token = _token(raw)
        if token is None or token.folded in dropped:
            continue
        name = raw[0].isupper() and not shouting and (_acronym(raw) or not _starts_sentence(text, match.start()))
        tokens.append(_as_name(token) if name else token)
    return tokens


@lru_cache(maxsize=65_536)
def _token(raw: str) -> Token | None:
    """The piece as a token that is no name, or None if it has no content."""
    if raw[0].isdigit():
        number = _number(raw).lstrip("0") or "0"
        return Token(number, number, number, name=False)
    surface = raw.casefold()
    folded = _content(surface)
    return Token(stem(surface), folded, surface, name=False) if folded else None


@lru_cache(maxsize=8192)
def _as_name(token: Token) -> Token:
    return replace(token, name=True)


def _shouting(text: str) -> bool:
    """Whether capitals mean nothing here: all letters are, or most of the longer words begin with one."""
    words = [match.group() for match in _LONG_WORD.finditer(text)] if len(text) < 400 else []
    capitals = sum(word[0].isupper() for word in words)
    return text.upper() == text or (len(words) > 2 and capitals > 0.6 * len(words))


def _acronym(raw: str) -> bool:
    return raw.isupper() or (raw[:-1].isupper() and raw[-1] == "s" and len(raw) > 2)


def _starts_sentence(text: str, at: int) -> bool:
    return _SENTENCE_START.search(text[max(0, at - 8) : at]) is not None if at else True


@lru_cache(maxsize=65_536)
def _content(surface: str) -> str:
    """The folded word, or nothing if it has no content."""
    folded = plain(surface)
    # A content word that differs from a stop word by its accent alone stays, if it was typed with that accent.
    if len(folded) < 2 or surface in STOP or (surface == folded and folded in _FOLDED_STOP):
        return ""
    return folded


def _codes(text: str) -> tuple[str, ...]:
    plain = _NUMBER_SIGN.sub("", text)
    found: dict[str, None] = {}
    for match in _JOINED.finditer(plain):
        raw = match.group()
        if _looks_like_code(raw):
            code = "".join(_piece(piece) for piece in _TOKEN.findall(raw))
            if 2 <= len(code) <= _LONGEST_CODE:
                found[code] = None
    for match in _ACRONYM_NUMBER.finditer(plain):
        if _BEGINS.match(plain, match.start()):
            found[fold(match.group(1)) + _number(match.group(2))] = None
    return tuple(found)


def _looks_like_code(raw: str) -> bool:
    letters = [letter for letter in raw if letter.isalpha()]
    if not letters:
        return False
    digits = any(letter.isdigit() for letter in raw)
    first, *rest = re.split(r"[-–_./]", raw)
    acronym = len(first) > 1 and first.isupper()
    return acronym if not digits else (acronym or not rest or raw.isupper())


def _piece(raw: str) -> str:
    return _number(raw) if raw[0].isdigit() else fold(raw)


def _number(raw: str) -> str:
    whole, _, fraction = raw.partition(",")
    fraction = fraction.rstrip("0")
    return whole.replace(".", "") + (f",{fraction}" if fraction else "")


_FOLDED_STOP = frozenset(plain(word) for word in STOP)
_FILLERS = frozenset(plain(word) for word in FILLERS)
