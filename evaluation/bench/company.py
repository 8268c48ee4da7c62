"""A made-up company: who reads what, in which unit, of which area, since when. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from numpy.random import Generator

from documents.rules.types import Kind, Window

AREAS = ("rh", "operacoes", "financeiro", "ti", "juridico", "qualidade")
UNITS = {"CD-SP": "BR-SP", "CD-RJ": "BR-RJ", "POA": "BR-RS", "MATRIZ": "BR-SP"}
EVERYONE = "group:todos"
AUDIENCES: tuple[tuple[str, ...], ...] = (
    (EVERYONE,),
    *((f"area:{area}",) for area in AREAS),
    *((f"unit:{unit}",) for unit in UNITS),
    ("group:lideranca",),
    ("group:motoristas",),
    ("group:lideranca", "area:rh"),
    ("group:motoristas", "area:operacoes"),
)
"""Who may read: half of all documents are for everyone, the others share the rest."""
KINDS = (
    (Kind.POLICY, 0.3), (Kind.MANUAL, 0.2), (Kind.PROCEDURE, 0.15), (Kind.FAQ, 0.05), (Kind.WIKI, 0.2),
    (Kind.MINUTES, 0.1),
)  # fmt: skip
READERS = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """A document to be: `windows` holds one a revision, oldest first."""

    number: int
    kind: Kind
    area: str
    units: tuple[str, ...]
    readers: tuple[str, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    groups: tuple[str, ...]
    area: str
    unit: str


def plan(number: int, today: date, random: Generator) -> Plan:
    """Three in ten documents have a revision that was superseded, one in twenty has one that is yet to come."""
    kinds, shares = zip(*KINDS, strict=True)
    return Plan(
        number=number,
        kind=kinds[random.choice(len(kinds), p=shares)],
        area=AREAS[random.integers(len(AREAS))],
        units=(tuple(UNITS)[random.integers(len(UNITS))],) if random.random() < 0.2 else (),
        readers=AUDIENCES[0] if random.random() < 0.5 else AUDIENCES[random.integers(1, len(AUDIENCES))],
        windows=_windows(today, random),
    )


def people(random: Generator) -> list[Person]:
    """Readers of every area and unit; a quarter of them lead and a quarter drive."""
    extra = (("lideranca",), ("motoristas",), (), ())
    return [
        Person(f"leitor-{n}", extra[n % 4], AREAS[n % len(AREAS)], tuple(UNITS)[random.integers(len(UNITS))])
        for n in range(READERS)
    ]


def _windows(today: date, random: Generator) -> tuple[Window, ...]:
    start = today - timedelta(days=int(random.integers(400, 1500)))
    change = today - timedelta(days=int(random.integers(1, 399)))
    to_come = today + timedelta(days=int(random.integers(5, 90)))
    drawn = random.random()
    if drawn < 0.3:
        return (Window(start, change), Window(change, None))
    if drawn < 0.35:
        return (Window(start, to_come), Window(to_come, None))
    if drawn < 0.4:
        return (Window(start, change),)
    return (Window(start, None),)
