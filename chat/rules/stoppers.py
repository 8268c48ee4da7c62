"""What would have kept a source out of an answer: each fact that the rule let it in by, turned round.

Every statement is tried with the rule itself before it is made: one that would not have stopped the source is not told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from documents.rules.audience import AREA_PREFIX, UNIT_PREFIX
from documents.rules.eligibility import decide
from documents.rules.types import Facts, Reader, Reason, State

DAY = timedelta(days=1)


class Stop(StrEnum):
    """Which fact would have had to be another."""

    NO_GRANT = "no_grant"
    OTHER_UNIT = "other_unit"
    OTHER_JURISDICTION = "other_jurisdiction"
    NOT_PUBLISHED = "not_published"
    BEFORE_START = "before_start"
    FROM_END = "from_end"
    RETIRED = "retired"
    NO_OWNER = "no_owner"


@dataclass(frozen=True, slots=True)
class Stopper:
    """`names` are the keys that let the reader in (`group:…`, units, jurisdictions); `day` is where a window turns."""

    stop: Stop
    reason: Reason
    names: tuple[str, ...] = ()
    day: date | None = None


def stoppers(reader: Reader, facts: Facts, on: date, today: date) -> tuple[Stopper, ...]:
    """What would have stopped a source that `reader` was answered from about the day `on`, when the day was `today`.

    Empty when the rule, with these facts, does not let it in at all.
    """
    if not decide(reader, facts, on, today).allowed:
        return ()
    return tuple(_held(reader, facts, on, today))


def _held(reader: Reader, facts: Facts, on: date, today: date) -> Iterator[Stopper]:
    for stop, names, other, person, day in _turned(reader, facts, on):
        decision = decide(person, other, day or on, today)
        if not decision.allowed:
            yield Stopper(stop, decision.reason, names, day)


_Turned = tuple[Stop, tuple[str, ...], Facts, Reader, date | None]


def _turned(reader: Reader, facts: Facts, on: date) -> Iterator[_Turned]:
    grants = granted_by(reader, facts)
    none: frozenset[str] = frozenset()
    bare = replace(facts, user_grants=frozenset(), group_grants=none, area_grants=none, unit_grants=none)
    yield Stop.NO_GRANT, grants, bare, reader, None
    units = tuple(sorted(facts.scope_units))
    yield Stop.OTHER_UNIT, units, facts, replace(reader, units=none), None
    places = tuple(sorted(facts.scope_jurisdictions))
    yield Stop.OTHER_JURISDICTION, places, facts, replace(reader, jurisdictions=none), None
    yield Stop.NOT_PUBLISHED, (), replace(facts, state=State.DRAFT), reader, None
    if facts.validity.start is not None and facts.validity.start > date.min:
        yield Stop.BEFORE_START, (), facts, reader, facts.validity.start - DAY
    if facts.validity.until is not None:
        yield Stop.FROM_END, (), facts, reader, facts.validity.until
    yield Stop.RETIRED, (), replace(facts, state=State.RETIRED, retired_on=on), reader, None
    yield Stop.NO_OWNER, (), replace(facts, owner_id=None), reader, None


def granted_by(reader: Reader, facts: Facts) -> tuple[str, ...]:
    """The grants of the document that this reader has, as `group:…`, `area:…`, `unit:…`, or `person`; sorted."""
    names = {f"group:{name}" for name in facts.group_grants & reader.named_groups}
    names |= {f"{AREA_PREFIX}{name}" for name in facts.area_grants & reader.areas}
    names |= {f"{UNIT_PREFIX}{name}" for name in facts.unit_grants & reader.units}
    if reader.user_id in facts.user_grants or facts.owner_id == reader.user_id:
        names.add("person")
    return tuple(sorted(names))
