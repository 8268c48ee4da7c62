"""The facts of a sentence that a claim can get wrong: amounts, dates, times, markers, names, words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from chat.rules.verify.markers import Mark
from chat.rules.verify.words import Code, Word


@dataclass(frozen=True, slots=True)
class Value:
    """An amount, a date or a time. Two are equal when they share a key; `number` is the bare number, if it is one."""

    kind: str
    keys: frozenset[Hashable]
    number: Decimal | None
    unit: str
    per: str
    bounds: frozenset[Mark]
    noun: str
    start: int
    end: int

    def equals(self, other: Value) -> bool:
        return not self.keys.isdisjoint(other.keys)


@dataclass(frozen=True, slots=True)
class Scoped:
    """A marker with what it speaks of: stems and the keys of values; `after` are those of them that follow it.

    `predicate` is the first stem after a verb or a negation; None for an adjective, which speaks of both sides.
    """

    mark: Mark
    predicate: str | None
    scope: frozenset[Hashable]
    after: frozenset[Hashable]
    statement: int
    start: int


@dataclass(frozen=True, slots=True)
class Opening:
    """The case that a statement opens with ("Para pedidos urgentes, …"), as stems and keys."""

    facts: frozenset[Hashable]
    statement: int


@dataclass(frozen=True, slots=True)
class Facts:
    values: tuple[Value, ...]
    codes: tuple[Code, ...]
    markers: tuple[Scoped, ...]
    openings: tuple[Opening, ...]
    words: tuple[Word, ...]
    statements: tuple[int, ...]
    parts: tuple[int, ...]

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words)

    @property
    def code_keys(self) -> frozenset[str]:
        return frozenset(code.key for code in self.codes)

    def within(self, start: int, end: int) -> frozenset[Hashable]:
        """The stems of the words, the keys of the values and codes that lie in a span."""
        inside = [
            item for group in (self.words, self.codes, self.values) for item in group if start <= item.start < end
        ]
        return frozenset(key for item in inside for key in keys_of(item))

    @property
    def everything(self) -> frozenset[Hashable]:
        return frozenset(
            key for group in (self.words, self.codes, self.values) for item in group for key in keys_of(item)
        )

    def statement(self, at: int) -> int:
        return bisect_right(self.statements, at)

    def part(self, at: int) -> int:
        return bisect_right(self.parts, at)


def keys_of(item: Word | Code | Value) -> Iterable[Hashable]:
    if isinstance(item, Value):
        return item.keys
    return (item.stem,) if isinstance(item, Word) else (item.key,)
