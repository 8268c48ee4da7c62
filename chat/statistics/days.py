"""The questions of each day, counted from their evidence records; a day that is over is counted once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

import structlog
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

log = structlog.get_logger(__name__)
VERSION = 1
KEPT = 100 * 24 * 3600
LIVE = 5
"""Seconds for which the counts of a day that goes on are kept."""
SETTLED = timedelta(minutes=10)
"""After midnight an answer of the day before may still be on its way into the table."""
STAGES = ("condense", "filter", "rewrite", "search", "rerank", "generate", "verify", "total")
# The body is unpacked once a row. Everything is read as text: a record that was tampered with must not stop the rest.
QUERY = """
    SELECT (r.recorded_at AT TIME ZONE %s)::date, r.id::text, r.status, b.area, b.cached, b.usage, b.timings_ms,
           CASE WHEN r.status = 'not_found' THEN b.question END
      FROM chat_evidencerecord r,
           LATERAL jsonb_to_record(CASE jsonb_typeof(r.body) WHEN 'object' THEN r.body ELSE '{}' END)
               AS b(area text, cached text, usage text, timings_ms text, question text)
     WHERE r.recorded_at >= %s AND r.recorded_at < %s
     ORDER BY r.sequence
"""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that found nothing, without personal data."""

    evidence: str
    question: str
    area: str


@dataclass(slots=True)
class Day:
    """`answers` counts by (status, area), with an empty area where none was told. Timings are milliseconds by step."""

    day: date
    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    cached: int = 0
    generated: int = 0
    prompt_tokens: float = 0
    cached_tokens: float = 0
    completion_tokens: float = 0
    cost: float = 0.0
    timings: dict[str, list[float]] = field(default_factory=dict)
    unanswered: list[Unanswered] = field(default_factory=list)

    @property
    def questions(self) -> int:
        return sum(self.answers.values())

    def count(self, status: str, areas: frozenset[str] | None = None) -> int:
        return sum(n for (told, area), n in self.answers.items() if told == status and _within(area, areas))


def days(first: date, last: date) -> list[Day]:
    """Every day from `first` to `last`, both included, whether anybody asked or not."""
    wanted = [first + timedelta(n) for n in range((last - first).days + 1)]
    held = _kept(wanted)
    missing = [day for day in wanted if day not in held]
    if missing:
        counted = _counted(missing[0], missing[-1])
        _keep({day: counted[day] for day in missing})
        held |= {day: counted[day] for day in missing}
    return [held[day] for day in wanted]


def unanswered(counted: Iterable[Day], areas: frozenset[str] | None = None) -> list[Unanswered]:
    return [item for day in counted for item in day.unanswered if _within(item.area, areas)]


def _within(area: str, areas: frozenset[str] | None) -> bool:
    return areas is None or area in areas


def _counted(first: date, last: date) -> dict[date, Day]:
    found = {first + timedelta(n): Day(first + timedelta(n)) for n in range((last - first).days + 1)}
    span = [start_of(first), start_of(last + timedelta(1))]
    with connection.cursor() as cursor:
        cursor.execute(QUERY, [timezone.get_current_timezone_name(), *span])
        for row in cursor.fetchall():
            _add(found[row[0]], row[1:])
    return found


def _add(day: Day, row: Sequence[Any]) -> None:
    evidence, status, area, cached, usage, timings, question = row
    day.answers[status, area or ""] += 1
    steps = _numbers(timings)
    if "generate" in steps:
        day.generated += 1
        day.cached += cached == "true"
    spent = _numbers(usage)
    day.prompt_tokens += spent.get("prompt_tokens", 0)
    day.cached_tokens += spent.get("cached_tokens", 0)
    day.completion_tokens += spent.get("completion_tokens", 0)
    day.cost += spent.get("cost", 0.0)
    for step in STAGES:
        if step in steps:
            day.timings.setdefault(step, []).append(steps[step])
    if question:
        day.unanswered.append(Unanswered(evidence, question, area or ""))


def _numbers(text: str | None) -> dict[str, float]:
    try:
        value = json.loads(text or "{}")
        return {name: float(number) for name, number in value.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _key(day: date) -> str:
    return f"days:{VERSION}:{timezone.get_current_timezone_name()}:{day.isoformat()}"


def _kept(wanted: Iterable[date]) -> dict[date, Day]:
    try:
        found = cache.get_many([_key(day) for day in wanted])
    except Exception as error:  # any backend, any way of being down: then the days are counted again
        log.warning("the counts of days are not kept", error=str(error))
        return {}
    return {value.day: value for value in found.values() if isinstance(value, Day)}


def _keep(counted: dict[date, Day]) -> None:
    now = timezone.now()
    over = {_key(day): value for day, value in counted.items() if start_of(day + timedelta(1)) + SETTLED < now}
    going_on = {_key(day): value for day, value in counted.items() if _key(day) not in over}
    try:
        cache.set_many(over, KEPT)
        cache.set_many(going_on, LIVE)
    except Exception as error:
        log.warning("the counts of days are not kept", error=str(error))
