"""One question of an evaluation set, and what an answer to it must hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from chat.rules.types import Status, Turn

KEYS = frozenset({"id", "question", "as", "on", "history", "expect", "tags"})
EXPECT = frozenset({"status", "sources", "facts"})


class BadSet(ValueError):
    """The set can't be read; the message names each line and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A document's code and, unless any place in it will do, the anchor or the heading of the section."""

    document: str
    section: str | None


@dataclass(frozen=True, slots=True)
class Case:
    """`sources` are alternatives, of which any one is right; `facts` must each be in the answer."""

    id: str
    question: str
    person: str
    on: date | None
    history: tuple[Turn, ...]
    status: Status
    sources: tuple[Source, ...]
    facts: tuple[str, ...]
    tags: tuple[str, ...]

    @property
    def answerable(self) -> bool:
        return self.status in (Status.ANSWERED, Status.CONFLICT)


def read(lines: Iterable[str]) -> list[Case]:
    """Cases from JSONL. Every bad line is told at once in `BadSet`."""
    cases: list[Case] = []
    problems: list[str] = []
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            case = _case(json.loads(line))
            if case.id in seen:
                raise ValueError(f"the id {case.id!r} is used twice")
            seen.add(case.id)
            cases.append(case)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problems.append(f"line {number}: {_told(error)}")
    if problems:
        raise BadSet("; ".join(problems))
    if not cases:
        raise BadSet("the set has no questions")
    return cases


def _case(value: dict[str, object]) -> Case:
    _known(value, KEYS)
    expect = value["expect"]
    if not isinstance(expect, dict):
        raise TypeError("`expect` must be an object")
    _known(expect, EXPECT)
    on, history = value.get("on"), value.get("history") or []
    return Case(
        id=str(value["id"]),
        question=str(value["question"]),
        person=str(value["as"]),
        on=date.fromisoformat(str(on)) if on else None,
        history=tuple(Turn(str(turn["role"]), str(turn["text"])) for turn in history),  # type: ignore[attr-defined]
        status=Status(expect["status"]),
        sources=tuple(Source(str(code), section and str(section)) for code, section in expect.get("sources") or []),
        facts=tuple(str(fact) for fact in expect.get("facts") or []),
        tags=tuple(str(tag) for tag in value.get("tags") or []),  # type: ignore[attr-defined]
    )


def _known(value: dict[str, object], keys: frozenset[str]) -> None:
    unknown = sorted(value.keys() - keys)
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; known: {', '.join(sorted(keys))}")


def _told(error: Exception) -> str:
    return f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
