"""Items that were typed in one run ("a) …; b) …; c) …") put each on its own line."""

from __future__ import annotations

import re

from documents.rules.legal import ARTICLE

_ALINEA = re.compile(r"(?<=[;:.)])\s(?:(?:e|ou)\s)?\(?([a-z])\)\s?(?=\S)")
_INCISO = re.compile(r"(?<=[;:.)])\s(?:(?:e|ou)\s)?([IVXL]{1,7})\s?[-–—]\s(?=\S)")
_PARAGRAPH = re.compile(r"(?<=[;:.)])\s(?=§\s?\d{1,2}[º°ª.]|Parágrafo único[.:\s])")
_CLAUSE = re.compile(r"(?<=[;:.])\s(\d{1,2})\.(\d{1,2})\s?[-–—.]\s(?=\S)")
_CLAUSE_START = re.compile(r"(\d{1,2})\.1\s?[-–—.]\s")
_LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]
_UNITS = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
_ROMANS = [tens + unit for tens in ("", "X", "XX", "XXX", "XL", "L", "LX") for unit in _UNITS if tens or unit]


def split_inline_items(text: str) -> str:
    """The text with line breaks before its items; it keeps its length, as one space becomes one break.

    Only sequences count, from "a" or "I" on, so that a lone "b)" in a sentence breaks nothing.
    """
    cuts = _sequence(text, _INCISO, _ROMANS, r"I\s?[-–—]\s")
    cuts |= _sequence(text, _ALINEA, _LETTERS, r"\(?a\)")
    cuts |= _clauses(text)
    if ARTICLE.match(text):
        cuts |= {match.start() for match in _PARAGRAPH.finditer(text)}
    if not cuts:
        return text
    chars = list(text)
    for position in cuts:
        chars[position] = "\n"
    return "".join(chars)


def _sequence(text: str, pattern: re.Pattern[str], names: list[str], opening: str) -> set[int]:
    """Where the second and later items of each sequence begin, and the first where it follows a lead."""
    runs: list[list[int]] = []
    expected = 0
    if re.match(opening, text):
        runs.append([])
        expected = 1
    for match in pattern.finditer(text):
        if expected and expected < len(names) and match[1] == names[expected]:
            runs[-1].append(_space_before(text, match))
            expected += 1
        elif match[1] == names[0]:
            runs.append([_space_before(text, match)])
            expected = 1
    opened = bool(re.match(opening, text))
    return {position for index, run in enumerate(runs) if len(run) >= 2 or (index == 0 and opened) for position in run}


def _space_before(text: str, match: re.Match[str]) -> int:
    """The space before the marker itself: "; e" and "; ou" end the item before."""
    return text.rindex(" ", 0, match.start(1))


def _clauses(text: str) -> set[int]:
    """Where "4.2 – …" and "4.3 – …" begin in a run that opens with "4.1 – " or "…: 4.1 – "."""
    cuts: set[int] = set()
    first = _CLAUSE_START.match(text)
    major, minor = (first[1], 2) if first else ("", 1)
    for match in _CLAUSE.finditer(text):
        if int(match[2]) == minor and major in ("", match[1]):
            cuts.add(match.start())
            major, minor = match[1], minor + 1
    return cuts if minor > 2 else set()
