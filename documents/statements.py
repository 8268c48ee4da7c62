"""Queries about a reader, put together once for each shape that a reader has.

What the ORM does to make the statement of the eligibility rule takes ten times as long as the database takes to run
it, and all that differs from one person to the next is its parameters, as long as they have as many groups and places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection, models

from documents.rules.audience import AREA_PREFIX, UNIT_PREFIX
from documents.rules.types import Reader, Role

Rows = list[tuple[Any, ...]]
Value = int | str | date
Values = Mapping[Value, Any]

SHAPES = 500
_MARK = "\N{WHITE SQUARE}"
_PERSON = -(2**31)
_ON, _TODAY = date(1, 1, 2), date(1, 1, 3)
"""Values that stand for a reader's own while the statement is made: no row and no rule has them."""

IDS = [_PERSON]
"""Stands for the ids that a statement is asked for: `filter(pk__any=IDS)`."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the text of a statement depends on: everything else of a reader is a parameter."""

    active: bool
    reads_history: bool
    named_groups: int
    areas: int
    units: int
    jurisdictions: int


@models.BigAutoField.register_lookup
class AnyOf(models.Lookup):  # type: ignore[type-arg]
    """`pk__any=[…]`, one parameter however many there are, or an array that the database makes once."""

    lookup_name = "any"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        sql, params = self.process_lhs(compiler, connection)
        given, own = self.process_rhs(compiler, connection)
        return f"{sql} = ANY({given})", (*params, *own)


class ReaderStatement:
    """The rows of a queryset about a reader. `make(reader, on, today)` gives it, narrowed by `pk__any=IDS`."""

    def __init__(self, make: Callable[[Reader, date, date], models.QuerySet[Any, Any]]) -> None:
        self._make = make
        self._compiled = lru_cache(SHAPES)(self._compile)

    def rows(self, reader: Reader, on: date, today: date, ids: Iterable[int] = ()) -> Rows:
        """What the queryset would give for this reader, of the rows with these ids, as the driver gives it."""
        compiled = self._compiled(_shape(reader))
        if compiled is None:  # nothing that any database could give
            return []
        sql, params = compiled
        values = _values(reader) | {_ON: on, _TODAY: today}
        asked = f"{{{','.join(map(str, ids))}}}"  # written out once, however often the statement has it
        with connection.cursor() as cursor:
            cursor.execute(sql, [asked if param == IDS else _given(param, values) for param in params])
            return cursor.fetchall()

    def _compile(self, shape: _Shape) -> tuple[str, Sequence[Any]] | None:
        compiler = self._make(_like(shape), _ON, _TODAY).query.get_compiler(connection=connection)
        try:
            sql, params = compiler.as_sql()
        except EmptyResultSet:
            return None
        if compiler.get_converters([column for column, *_more in compiler.select]):
            raise TypeError("a column that Django converts has no place in a statement: its rows are the driver's")
        return sql, params


def _given(param: Any, values: Values) -> Any:
    return values.get(param, param) if isinstance(param, Value) else param


def _shape(reader: Reader) -> _Shape:
    sizes = (len(own) for own in (reader.named_groups, reader.areas, reader.units, reader.jurisdictions))
    return _Shape(reader.active, reader.reads_history, *sizes)


def _like(shape: _Shape) -> Reader:
    """A reader of this shape who is nobody."""
    return Reader(
        key="",
        user_id=_PERSON,
        active=shape.active,
        named_groups=frozenset(_marks("group", shape.named_groups)),
        areas=frozenset(_marks("area", shape.areas)),
        units=frozenset(_marks("unit", shape.units)),
        jurisdictions=frozenset(_marks("jurisdiction", shape.jurisdictions)),
        roles=frozenset([Role.HISTORY] if shape.reads_history else []),
    )


def _values(reader: Reader) -> dict[Value, Any]:
    """What stands for nobody's → what it is of this reader."""
    areas, units = _pairs("area", reader.areas), _pairs("unit", reader.units)
    return {
        _PERSON: reader.user_id,
        **_pairs("group", reader.named_groups),
        **areas,
        **units,
        **_pairs("jurisdiction", reader.jurisdictions),
        **{f"{AREA_PREFIX}{mark}": f"{AREA_PREFIX}{own}" for mark, own in areas.items()},
        **{f"{UNIT_PREFIX}{mark}": f"{UNIT_PREFIX}{own}" for mark, own in units.items()},
    }


def _marks(of: str, count: int) -> list[str]:
    return [f"{_MARK}{of}{number}" for number in range(count)]


def _pairs(of: str, own: frozenset[str]) -> dict[Value, Any]:
    pairs: dict[Value, Any] = dict(zip(_marks(of, len(own)), sorted(own), strict=True))
    return pairs
