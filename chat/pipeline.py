"""One question through the steps, in order. Explaining, replaying and evaluating run this very function."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from time import perf_counter

from chat.generators.base import GenerationError
from chat.parts import Parts
from chat.retrieval import Found, retrieve
from chat.rules import abstain, selection
from chat.rules.citations import verify
from chat.rules.condense import condense
from chat.rules.conflict import disagree, may_conflict
from chat.rules.outcome import Cited, Claim, Outcome, Stage
from chat.rules.temporal import Temporal, understand
from chat.rules.types import Generation, Status, Turn, Usage, Verdict
from documents.embedders.base import EmbedderUnavailable
from documents.rules.normalise import normalise
from documents.rules.passage import Passage
from documents.rules.types import Reader, Reason
from documents.search.base import EngineUnavailable


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as it was put: by whom, when, and about which day where one was given."""

    question: str
    reader: Reader
    today: date
    on: date | None = None
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What is being done now: `searching`, `reading` or `verifying`, and how many of it."""

    name: str
    n: int = 0


class Clock:
    """Milliseconds by step."""

    def __init__(self) -> None:
        self._start = self._last = perf_counter()
        self.timings: dict[str, float] = {}

    def lap(self, name: str) -> float:
        now = perf_counter()
        spent = (now - self._last) * 1000
        self.timings[name] = self.timings.get(name, 0.0) + spent
        self._last = now
        self.timings["total"] = (now - self._start) * 1000
        return spent


def run(ask: Ask, parts: Parts) -> Generator[Step, None, Outcome]:
    """Yields what is being done, returns what it came to. A part that is down gives `unavailable`, never "nothing"."""
    clock = Clock()
    standalone = condense(ask.question, ask.history)
    temporal = understand(standalone, ask.today)
    on = ask.on or temporal.on or ask.today
    clock.lap("condense")
    start = Outcome(
        Status.NOT_FOUND, ask.question, standalone, on, "current" if on == ask.today else temporal_kind(on, ask.today)
    )
    if temporal.needs_date and ask.on is None:
        return replace(start, status=Status.NEEDS_DATE, missing="date", temporal="past", timings=clock.timings)
    try:
        outcome = yield from _answer(ask, parts, start, temporal, clock)
    except (EngineUnavailable, EmbedderUnavailable, GenerationError) as error:
        outcome = replace(start, status=Status.UNAVAILABLE, missing="component_down", error=str(error))
    return replace(outcome, timings=dict(clock.timings))


def temporal_kind(on: date, today: date) -> str:
    return "past" if on < today else "future" if on > today else "current"


def _answer(
    ask: Ask, parts: Parts, start: Outcome, temporal: Temporal, clock: Clock
) -> Generator[Step, None, Outcome]:
    audiences = parts.corpus.audiences(ask.reader)
    clock.lap("filter")
    if not audiences:
        return replace(start, stages=(Stage("filter", 0, 0, clock.timings["filter"]),))
    question = temporal.question or start.standalone
    searches = tuple(parts.rewriter.rewrite(question, parts.corpus.glossary()))
    clock.lap("rewrite")
    yield Step("searching", len(searches))
    found = retrieve(question, searches, audiences, ask.reader, start.on, ask.today, parts, clock.lap)
    start = replace(
        start,
        searches=searches,
        stages=tuple(found.stages),
        candidates=tuple(found.traced),
        ranked=tuple(item.passage for item in found.ranked),
        signals=found.signals,
        area=_area(found),
    )
    decision = abstain.decide(found.signals, parts.thresholds)
    if decision is not abstain.Verdict.ANSWER:
        return _refused(start, found, decision)
    sent = [item.passage for item in found.ranked if item.stands]
    start = replace(start, sent=tuple(sent))
    if not parts.corpus.still_linked(sent):
        return replace(start, status=Status.BLOCKED, missing="passage_not_in_revision")
    yield Step("reading", len(sent))
    generation, cached = _generate(question, sent, parts)
    clock.lap("generate")
    yield Step("verifying", len(generation.claims))
    verdicts = verify(generation.claims, sent)
    claims = _claims(verdicts, sent)
    clock.lap("verify")
    usage = Usage() if cached else generation.usage
    start = replace(start, verdicts=tuple(verdicts), usage=usage, cached=cached)
    conflict = _conflict(found, parts, question, sent, claims)
    if conflict:
        return replace(start, status=Status.CONFLICT, conflict=conflict)
    return replace(start, status=Status.ANSWERED if claims else Status.NOT_FOUND, claims=claims)
