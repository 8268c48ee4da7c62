"""Periods of time that a Portuguese question names, from first to last day: "março de 2024", "há 2 anos"."""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MINYEAR, date, timedelta

from chat.rules.verify.dates import find_days
from chat.rules.verify.numbers import WORD_NUMBER, parse_words

_YEAR = re.compile(r"(?<![\w./-])(?:19|20)\d{2}(?![\w/-]|\.\d)")
# What makes a number beside it a document's own: "Lei 13.709/2018", "Portaria 12/2024", "ISO 2015".
_LABEL = re.compile(
    r"\b(?:lei|decreto|portaria|resolucao|instrucao|norma|iso|nbr|nr|antt|ato|edital|circular|comunicado|processo|oficio"
    r"|n[ºo°.]*|numero|artigo|art\.?|ramal|sala|formulario|black friday|copa|codigo|protocolo)\s*(?:n[ºo°.]*\s*)?$"
)
_COUNT = rf"(?P<count>\d{{1,2}}|{WORD_NUMBER})"
_RELATIVE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"\b(?:{pattern})\b"))
    for name, pattern in (
        ("day-2", "anteontem"),
        ("day-1", "ontem"),
        ("day+1", "amanha"),
        ("day+0", "hoje em dia|hoje|atualmente|neste momento|no momento|agora"),
        ("week-1", "(?:n[ao] )?semana passada"),
        ("month-1", "(?:n?o )?mes (?:passado|anterior|retrasado)"),
        ("month+0", "(?:n?es[st]e mes|no mes (?:atual|corrente))"),
        ("month+1", "(?:n?o )?(?:mes que vem|proximo mes)"),
        ("year-1", "(?:n?o )?ano (?:passado|anterior)"),
        ("year-2", "(?:n?o )?ano retrasado"),
        ("year+0", "(?:n?es[st]e ano|no ano (?:atual|corrente))"),
        ("year+1", "(?:n?o )?(?:ano que vem|proximo ano)"),
        ("ago", rf"(?:ha|faz) (?:uns |cerca de )?{_COUNT} (?P<unit>dias?|semanas?|mes(?:es)?|anos?)(?: atras)?"),
        ("ago", rf"{_COUNT} (?P<unit>dias?|semanas?|mes(?:es)?|anos?) atras"),
    )
)


@dataclass(frozen=True, slots=True)
class Period:
    """`text[start:end]` names the days from `first` to `last`; `yearless` when the year had to be supposed."""

    first: date
    last: date
    start: int
    end: int
    yearless: bool = False
    relative: bool = False


def plain(text: str) -> str:
    """Lower case without accents, character for character: offsets stay those of `text`."""
    return "".join(unicodedata.normalize("NFD", char)[0].lower()[:1] or char for char in text)


def find_periods(text: str, today: date) -> Iterator[Period]:
    """Every period that `text`, already `plain`, names, in order and without overlap."""
    found = [*_relative(text, today), *_named(text, today)]
    taken: list[Period] = []
    for period in sorted(found, key=lambda period: (period.start, -period.end)):
        if not taken or period.start >= taken[-1].end:
            taken.append(period)
    yield from taken


def _named(text: str, today: date) -> Iterator[Period]:
    spans: list[tuple[int, int]] = []
    for day in find_days(text):
        spans.append((day.start, day.end))
        if _LABEL.search(text[: day.start]) or day.month is None:
            continue
        year = day.year or _latest_year(day.month, day.day, today)
        length = monthrange(year, day.month)[1]
        if day.day and day.day > length:
            continue
        first, last = date(year, day.month, day.day or 1), date(year, day.month, day.day or length)
        yield Period(first, last, day.start, day.end, yearless=day.year is None)
    for match in _YEAR.finditer(text):
        inside = any(start < match.end() and match.start() < end for start, end in spans)
        if not inside and not _LABEL.search(text[: match.start()]):
            year = int(match[0])
            yield Period(date(year, 1, 1), date(year, 12, 31), *match.span())


def _latest_year(month: int, day: int | None, today: date) -> int:
    return today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1


def _relative(text: str, today: date) -> Iterator[Period]:
    for name, pattern in _RELATIVE:
        for match in pattern.finditer(text):
            if name == "ago":
                day = _ago(match["count"], match["unit"], today)
                if day is None:
                    continue
                first, last = day, day
            else:
                first, last = _shifted(name[:-2], int(name[-2:]), today)
            yield Period(first, last, *match.span(), relative=True)


def _shifted(unit: str, by: int, today: date) -> tuple[date, date]:
    if unit == "day":
        return today + timedelta(by), today + timedelta(by)
    if unit == "week":
        monday = today - timedelta(today.weekday()) + timedelta(weeks=by)
        return monday, monday + timedelta(6)
    if unit == "year":
        return date(today.year + by, 1, 1), date(today.year + by, 12, 31)
    months = today.year * 12 + today.month - 1 + by
    year, month = months // 12, months % 12 + 1
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _ago(count: str, unit: str, today: date) -> date | None:
    """The day that long ago; None where the calendar has none."""
    number = int(count) if count.isdigit() else int(parse_words(count)[0])
    if unit.startswith(("dia", "semana")):
        days = number * (7 if unit.startswith("semana") else 1)
        return today - timedelta(days) if days < today.toordinal() - 1 else None
    months = today.year * 12 + today.month - 1 - number * (12 if unit.startswith("ano") else 1)
    year, month = months // 12, months % 12 + 1
    return date(year, month, min(today.day, monthrange(year, month)[1])) if year > MINYEAR else None
