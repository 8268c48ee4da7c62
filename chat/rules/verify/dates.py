"""Dates and times of day, in digits and in words: 15/03/2024 = quinze de março de 2024, 14h = 14:00."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chat.rules.verify.numbers import WORD_NUMBER, parse_words

MONTHS = {
    "janeiro": 1, "fevereiro": 2, "março": 3, "marco": 3, "abril": 4, "maio": 5, "junho": 6, "julho": 7, "agosto": 8,
    "setembro": 9, "outubro": 10, "novembro": 11, "dezembro": 12,
}  # fmt: skip
_SHORT = {name[:3]: number for name, number in MONTHS.items()}
_MONTH = "|".join(MONTHS)
_ANY = rf"{_MONTH}|{'|'.join(_SHORT)}"
_DAY = rf"\d{{1,2}}[ºo]?|primeiro|{WORD_NUMBER}"
_YEAR = rf"\d{{4}}|{WORD_NUMBER}"

_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w/.-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\w/-])",
        r"(?<![\w/.-])(?P<d>\d{1,2})(?P<sep>[/.-])(?P<m>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?![\w/-]|\.\d)",
        r"(?<![\w/.-])(?P<m>\d{1,2})/(?P<y>(?:19|20)\d{2})(?![\w/-])",
        r"(?<![\w/.-])(?P<d>\d{1,2})/(?P<m>\d{2})(?![\w/-]|\.\d)",
        rf"\b(?P<d>{_DAY})\s+(?:de\s+)?(?P<m>{_MONTH})(?:\s+de|,)?\s+(?P<y>{_YEAR})\b",
        rf"\b(?P<d>\d{{1,2}})[/\s](?P<m>{_ANY})\.?[/\s](?P<y>\d{{4}}|\d{{2}})\b",
        rf"\b(?P<m>{_MONTH})(?:\s+de|/|,)?\s*(?P<y>\d{{4}}|(?<=\s){WORD_NUMBER})\b",
        rf"\b(?P<m>{_ANY})\.?/(?P<y>\d{{4}}|\d{{2}})\b",
        rf"\b(?P<d>{_DAY})\s+de\s+(?P<m>{_MONTH})\b",
        rf"\b(?P<m>{_MONTH})\b",
    )
)
_TIMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w.,/:-])(?P<h>\d{1,2}):(?P<m>[0-5]\d)(?::[0-5]\d)?\s?(?:hs?|hrs)?(?![\w:])",
        r"(?<![\w.,/:])(?P<h>\d{1,3})\s?hs?(?P<m>[0-5]\d)?(?:\s?min)?(?![\w/])(?!\s+[úu]t(?:eis|il))",
        r"\b(?P<noon>meio-dia|meia-noite)\b",
    )
)


@dataclass(frozen=True, slots=True)
class Day:
    """A date as far as it is written: any of year, month and day may be missing (None)."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    @property
    def key(self) -> tuple[int | None, int | None, int | None]:
        return self.year, self.month, self.day


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `duration` holds the hours when the same writing ("4h") may also be a length of time."""

    hour: int
    minute: int
    duration: int | None
    start: int
    end: int


def find_days(text: str) -> Iterator[Day]:
    """Every date of a normalised text, the most complete reading of each place, in order."""
    taken: list[Day] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if any(day.start < match.end() and match.start() < day.end for day in taken):
                continue
            if day := _day(match):
                taken.append(day)
    yield from sorted(taken, key=lambda day: day.start)


def find_clocks(text: str) -> Iterator[Clock]:
    """Every time of day of a normalised text, in order."""
    taken: list[Clock] = []
    for pattern in _TIMES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            if noon := parts.get("noon"):
                taken.append(Clock(12 if noon.lower() == "meio-dia" else 0, 0, None, match.start(), match.end()))
            elif not any(clock.start < match.end() and match.start() < clock.end for clock in taken):
                hour, minute = int(parts["h"]), int(parts["m"] or 0)
                duration = hour if parts["m"] is None else None
                taken.append(Clock(hour, minute, duration, match.start(), match.end()))
    yield from sorted(taken, key=lambda clock: clock.start)


def _day(match: re.Match[str]) -> Day | None:
    parts = match.groupdict()
    month = _month(parts["m"])
    day = _number(parts.get("d"))
    year = _number(parts.get("y"))
    if year is not None and year < 100 and len(parts.get("y") or "") == 2:
        year += 2000
    fits = 1 <= month <= 12 and (day is None or 1 <= day <= 31) and (year is None or 1900 <= year <= 2199)
    return Day(year, month, day, match.start(), match.end()) if fits else None


def _month(text: str) -> int:
    return int(text) if text.isdigit() else MONTHS.get(text.lower()) or _SHORT.get(text.lower()[:3], 0)


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if text.lower() == "primeiro":
        return 1
    digits = text.rstrip("ºo")
    if digits.isdigit():
        return int(digits)
    words = parse_words(text)
    return int(words[0]) if len(words) == 1 else 0
