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
    """`sources` are alternatives, of which any one is right; `facts` must each be in the answer.

    `person` is the user name of who asks; `line` is the case's place in its file, from 1.
    """

    id: str
    question: str
    person: str
    on: date | None
    history: tuple[Turn, ...]
    status: Status
    sources: tuple[Source, ...]
    facts: tuple[str, ...]
    tags: tuple[str, ...]
    line: int = 0

    @property
    def answerable(self) -> bool:
        """Whether the base holds what to say; a question that must be refused, stopped or asked back is not."""
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
            case = _case(json.loads(line), number)
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


def _case(value: object, line: int) -> Case:
    if not isinstance(value, dict):
        raise TypeError("a case must be an object")
    _known(value, KEYS)
    expect = value["expect"]
    if not isinstance(expect, dict):
        raise TypeError("`expect` must be an object")
    _known(expect, EXPECT)
    on, history = value.get("on"), value.get("history") or []
    case = Case(
        id=_text(value, "id"),
        question=_text(value, "question"),
        person=_text(value, "as"),
        on=date.fromisoformat(str(on)) if on else None,
        history=tuple(_turn(turn) for turn in history),
        status=Status(expect["status"]),
        sources=tuple(_source(source) for source in expect.get("sources") or []),
        facts=tuple(str(fact) for fact in expect.get("facts") or []),
        tags=tuple(str(tag) for tag in value.get("tags") or []),
        line=line,
    )
    if case.answerable and not case.sources:
        raise ValueError(f"a question that is {case.status} needs `sources`: where the answer stands")
    return case


def _text(value: dict[str, object], key: str) -> str:
    text = value[key]
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"`{key}` must be a text that is not empty")
    return text


def _turn(turn: dict[str, object]) -> Turn:
    role = _text(turn, "role")
    if role not in ("user", "assistant"):
        raise ValueError(f"unknown role {role!r} in `history`")
    return Turn(role, _text(turn, "text"))


def _source(source: object) -> Source:
    match source:
        case [str(code), None | str() as section]:
            return Source(code, section or None)
        case _:
            raise ValueError(f'a source is ["code", "section"] or ["code", null], not {source!r}')


def _known(value: dict[str, object], keys: frozenset[str]) -> None:
    unknown = sorted(value.keys() - keys)
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}; known: {', '.join(sorted(keys))}")


def _told(error: Exception) -> str:
    return f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
