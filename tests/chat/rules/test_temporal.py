"""The date a question asks about: taken where it speaks of the rule, left where it belongs to the case."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chat.rules.periods import find_periods, plain
from chat.rules.temporal import When, understand

MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
TODAY = date(2026, 11, 30)


@dataclass(frozen=True)
class Row:
    name: str
    kind: When
    on: date | None
    question: str
    left: str


def rows() -> list[Row]:
    found = []
    lines = (Path(__file__).parent / "temporal_cases.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            verdict, question, left = line.split(" | ")
            kind, _, on = verdict.partition(" ")
            day = date.fromisoformat(on) if on else None
            found.append(Row(f"line {number}", When(kind), day, question, question if left == "=" else left))
    return found


ROWS = rows()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_understood(row: Row) -> None:
    found = understand(row.question, TODAY)
    assert (found.kind, found.on, found.question) == (row.kind, row.on, row.left)


def test_the_table_is_large_and_meets_every_kind() -> None:
    assert len(ROWS) >= 150
    assert {row.kind for row in ROWS} == set(When)


@given(st.text(max_size=80), st.dates(date(2000, 1, 1), date(2100, 12, 31)))
def test_never_fails_and_is_verbatim_when_nothing_is_understood(question: str, today: date) -> None:
    found = understand(question, today)
    assert (found.on is None) == (found.kind is When.NEEDS_DATE or found.question == question)


@given(st.dates(date(1990, 1, 1), date(2026, 11, 29)))
def test_any_past_day_is_understood_in_every_spelling(day: date) -> None:
    month = MONTHS.split()[day.month - 1]
    for written in (day.isoformat(), f"{day:%d/%m/%Y}", f"{day.day} de {month} de {day.year}"):
        found = understand(f"Qual era o limite do táxi em {written}?", TODAY)
        assert (found.kind, found.on) == (When.PAST, day)
        assert found.question == "Qual era o limite do táxi?"


@given(st.integers(1, 12), st.integers(29, 99), st.sampled_from(range(1990, 2040)))
def test_a_day_that_no_calendar_has_is_asked_for_in_every_spelling(month: int, day: int, year: int) -> None:
    assume(day > monthrange(year, month)[1])
    name = MONTHS.split()[month - 1]
    spelt = [
        f"{day}/{month:02}/{year}",
        f"{day}-{month:02}-{year}",
        f"{day}.{month:02}.{year}",
        f"{day} de {name} de {year}",
    ]
    if year >= 2000:
        spelt.append(f"{day}/{month}/{year % 100:02}")
    spelt.append(f"{year}-{month:02}-{day}")
    for written in spelt:
        found = understand(f"Qual o limite do táxi vigente em {written}?", TODAY)
        assert found.kind is When.NEEDS_DATE, written


@pytest.mark.parametrize(
    "written",
    ["10/03/1850", "fevereiro de 1800", "5 de maio de 2500", "2025-13-01", "32 de janeiro", "30 de fevereiro"],
)
def test_a_day_that_no_rule_can_be_of_is_asked_for(written: str) -> None:
    assert understand(f"Qual era o limite do táxi em {written}?", TODAY).kind is When.NEEDS_DATE


@pytest.mark.parametrize(
    "question",
    [
        "Qual o prazo da POL-2021-0123?",
        "o que diz a ANTT 5.947?",
        "ramal 3344-5566 atende?",
        "de quem é o CNPJ 12.345.678/0001-90?",
        "qual a escala 12/36?",
        "29 de fevereiro é feriado?",
        "a nota 45-13-2024 foi paga?",
        "o código 99.88.2024 vale?",
    ],
)
def test_what_is_no_date_is_not_taken_for_an_impossible_one(question: str) -> None:
    assert understand(question, TODAY).kind is not When.NEEDS_DATE


@given(st.text(max_size=60))
def test_plain_keeps_offsets(text: str) -> None:
    assert len(plain(text)) == len(text)
    assert all(0 <= p.start < p.end <= len(text) for p in find_periods(plain(text), TODAY))


@pytest.mark.parametrize("written", ["29/02/2027", "31/04/2025", "00/01/2024", "10/13/2024", "1/1/0000"])
def test_a_date_that_no_calendar_has_is_asked_back(written: str) -> None:
    found = understand(f"qual a regra vigente em {written} para férias?", date(2026, 11, 30))
    assert (found.on, found.kind) == (None, When.NEEDS_DATE)


@pytest.mark.parametrize("count", ["dois mil e vinte e seis anos", "nove mil anos", "vinte e cinco mil meses"])
@pytest.mark.parametrize("relation", ["há {}", "antes de há {}", "desde há {}"])
@pytest.mark.parametrize("today", [date(2026, 11, 30), date.max, date(1, 1, 2)])
def test_longer_ago_than_any_calendar_is_asked_back(count: str, relation: str, today: date) -> None:
    asked = f"qual era a regra {relation.format(count)}?"
    assert today == date.max or understand(asked, today).on is None
    for other in ("novecentos mil dias", "um milhão de semanas", "99 anos", "99 semanas"):
        understand(f"qual era a regra {relation.format(other)}?", today)
