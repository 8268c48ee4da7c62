"""The one fixed normalisation of text: what a hash, a search for a quote and a comparison of claims agree on.

Changed: ligatures and full-width letters become plain letters, a letter and its combining accent one letter, soft
hyphens, zero-width and control characters go, words hyphenated at a line end are joined, curly quotes, dashes and
the degree sign take one form each, every run of white space is one space.
Kept: case (a quote is literal; what is shown is the passage's own text), superscripts (10² is not 102), digits.
A change of any rule here is a new `NORMALISATION_VERSION`, because stored hashes and recorded verdicts depend on it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

NORMALISATION_VERSION = "1"

# Invisible: format characters (soft hyphen, zero-width, bidi marks) and controls that are no white space.
_DROP = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufffe"
)
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
# What stands for a hyphen at a line end. PDF readers give STX, U+FFFE or "¬" for one that only marks the break.
_SOFT_BREAKS = "\u00ad\x02\ufffe¬"
_LINE_HYPHENS = "\\-\u2010\u2011" + _SOFT_BREAKS

_PLAIN = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-"),
    **dict.fromkeys("“”„‟«»″＂", '"'),
    **dict.fromkeys("‘’‚‛′`´＇", "'"),
    "°": "º",
    "…": "...",
    **{chr(c): unicodedata.normalize("NFKC", chr(c)) for c in (*range(0xFB00, 0xFB07), *range(0xFF01, 0xFF5F))},
}
_PLAIN.update({"＂": '"', "＇": "'"})

_CHANGE = re.compile(
    rf"(?P<line_end>(?<=\w)[{_LINE_HYPHENS}][{_DROP}]*[^\S\n\r]*[\n\r][\s{_DROP}]*(?=\w))"
    rf"|(?P<percent>(?<=\d)\s+(?=%))"
    rf"|(?P<space>(?! (?![\s{_DROP}]))[{_DROP}]*\s[\s{_DROP}]*)"  # a single space stays as it is
    rf"|(?P<drop>[{_DROP}]+)"
    rf"|(?P<accent>[^\s{_DROP}{_MARKS}](?:[{_DROP}]*[{_MARKS}])+)"
    rf"|(?P<plain>[{re.escape(''.join(_PLAIN))}])"
)
_DROPPED = re.compile(f"[{_DROP}]")

# What a quote may not cut: an address, an amount with its currency or per cent sign, a number with its separators,
# a hyphenated word or code. Everything else is a token of one character.
_TOKEN = re.compile(
    r"https?://[\w./%?&=#~+:-]*[\w/]"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|[A-Z]{1,3}\$"
    r"|(?:(?<![^\s(])-(?=\d))?\w+(?:(?:(?<=\d)[.,:/](?=\d)|[-'](?=\w))\w+)*%?"
    r"|[^\w\s]"
)
_WORD_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_WRAPPING = re.compile(r"^(?:\s|[\"'“”‘’«»]|\.\.\.|…)+|(?:\s|[\"'“”‘’«»]|\.\.\.|…)+$")


@dataclass(frozen=True, slots=True)
class Normalised:
    """`text` in normal form; `offsets[i]` is the span `(start, end)` of the original that gave character `i`."""

    text: str
    offsets: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, original: str) -> Normalised:
        out: list[str] = []
        offsets: list[tuple[int, int]] = []
        for piece, start, end, kept in _pieces(original):
            out.append(piece)
            offsets.extend(zip(range(start, end), range(start + 1, end + 1), strict=True) if kept
                           else ((start, end) for _ in piece))  # fmt: skip
        text = "".join(out)
        lead = len(text) - len(text.lstrip(" "))
        stop = len(text.rstrip(" "))
        return cls(text[lead:stop], tuple(offsets[lead:stop]))


def normalise(text: str) -> str:
    """The normal form of `text`. Idempotent."""
    return "".join(piece for piece, _, _, _ in _pieces(text)).strip(" ")


def text_hash(text: str) -> str:
    """SHA-256 of the normal form, in hexadecimal: equal texts that differ in line breaks or quotes hash alike."""
    return hashlib.sha256(normalise(text).encode()).hexdigest()


def find(quote: str, text: str) -> tuple[int, int] | None:
    """The first span of `text`, in its own offsets, that is `quote` after normalisation; None when it isn't there.

    A match begins and ends between tokens, never inside a word, a number or a code, and takes time linear in `text`.
    Space between tokens doesn't count, nor does a hyphen between two letters: after extraction nobody can tell
    whether a hyphen at a line end belonged to the word. Quotation marks and an ellipsis around `quote` are ignored.
    """
    return next(occurrences(quote, text), None)


def occurrences(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """Every span that `find` could return, from left to right, without overlap."""
    wanted = [key for key, _, _ in _keys(normalise(_WRAPPING.sub("", quote)))]
    if not wanted:
        return
    source = Normalised.of(text)
    tokens = list(_keys(source.text))
    haystack = "\n".join(key for key, _, _ in tokens)
    needle = "\n".join(wanted)
    # One string search over the joined tokens; a separator on both sides makes it a search for whole tokens.
    haystack, needle = f"\n{haystack}\n", f"\n{needle}\n"
    at, index, counted = haystack.find(needle), 0, 0
    while at >= 0:
        index += haystack.count("\n", counted, at)
        counted = at
        last = index + len(wanted) - 1
        yield source.offsets[tokens[index][1]][0], source.offsets[tokens[last][2] - 1][1]
        at = haystack.find(needle, at + len(needle) - 1)


def _keys(normal: str) -> Iterator[tuple[str, int, int]]:
    for match in _TOKEN.finditer(normal):
        token = match[0]
        yield _WORD_HYPHEN.sub("", token) if "-" in token else token, match.start(), match.end()


def _pieces(text: str) -> Iterator[tuple[str, int, int, bool]]:
    """`(piece, start, end, kept)` from left to right; `kept` pieces are copied character by character."""
    done = 0
    for match in _CHANGE.finditer(text):
        if match.start() > done:
            yield text[done : match.start()], done, match.start(), True
        done = match.end()
        yield _replacement(match, text), match.start(), done, False
    if done < len(text):
        yield text[done:], done, len(text), True


def _replacement(match: re.Match[str], text: str) -> str:
    found = match[0]
    match match.lastgroup:
        case "line_end":
            # A capital or a digit after the break means a code or a range, whose hyphen is its own (CD-SP, 2021-0123).
            joined = found[0] in _SOFT_BREAKS or (text[match.start() - 1].isalpha() and text[match.end()].islower())
            return "" if joined else "-"
        case "space":
            return " "
        case "accent":
            return unicodedata.normalize("NFC", _DROPPED.sub("", found))
        case "plain":
            return _PLAIN[found]
        case _:
            return ""
