"""One question through the steps, in order. Explaining, replaying and evaluating run this very function."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import date
from time import perf_counter

from chat.candidates import Asked
from chat.generators.base import GenerationError
from chat.parts import CorpusUnavailable, Parts, PermissionsUnavailable
from chat.rerankers.base import RerankerUnavailable
from chat.retrieval import Found, retrieve
from chat.rules import abstain
from chat.rules.citations import verify
from chat.rules.condense import condense
from chat.rules.outcome import Outcome, Stage
from chat.rules.temporal import When, understand, when
from chat.rules.types import Status, Turn, Usage
from chat.settling import claims_of, conflict_of, generate, related_of, signals_of
from documents.embedders.base import EmbedderUnavailable
from documents.rules.types import Reader
from documents.search.base import EngineUnavailable

DOWN = (CorpusUnavailable, EngineUnavailable, EmbedderUnavailable, RerankerUnavailable, GenerationError)

UNLINKED = "passage_not_in_revision"


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
    """Yields what is being done, returns what it came to.

    A part that is down gives `unavailable`, and permissions that can't be evaluated give `blocked`: never "nothing".
    """
    clock = Clock()
    standalone = condense(ask.question, ask.history)
    temporal = understand(standalone, ask.today)
    on = ask.on or temporal.on or ask.today
    clock.lap("condense")
    start = Outcome(Status.NOT_FOUND, ask.question, standalone, on, str(when(on, ask.today)))
    if temporal.kind is When.NEEDS_DATE and ask.on is None:
        return replace(start, status=Status.NEEDS_DATE, missing="date", temporal="past", timings=clock.timings)
    try:
        question = parts.spell(temporal.question or standalone)
        outcome = yield from _answer(ask, parts, start, question, clock)
    except PermissionsUnavailable as error:
        outcome = replace(start, status=Status.BLOCKED, missing="permissions_unavailable", error=str(error))
    except DOWN as error:
        outcome = replace(start, status=Status.UNAVAILABLE, missing="component_down", error=str(error))
    return replace(outcome, timings=dict(clock.timings))


def outcome_of(steps: Generator[Step, None, Outcome]) -> Outcome:
    """What the steps come to, for who does not show them."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome


def down(ask: Ask, error: Exception) -> Outcome:
    """What is said when the parts could not be put together, or when one failed in a way that it does not promise."""
    on = ask.on or ask.today
    start = Outcome(Status.UNAVAILABLE, ask.question, ask.question, on, str(when(on, ask.today)))
    return replace(start, missing="component_down", error=f"{type(error).__name__}: {error}")


def _answer(ask: Ask, parts: Parts, start: Outcome, question: str, clock: Clock) -> Generator[Step, None, Outcome]:
    audiences = parts.corpus.audiences(ask.reader)
    spent = clock.lap("filter")
    if not audiences:
        return replace(start, stages=(Stage("audiences", 0, 0, spent),))
    searches = tuple(parts.rewriter.rewrite(question, parts.corpus.glossary()))
    clock.lap("rewrite")
    yield Step("searching", len(searches))
    asked = Asked(ask.reader, audiences, start.on, ask.today)
    found = retrieve(question, searches, asked, parts, clock.lap)
    start = replace(
        start,
        searches=searches,
        usage=(searches[0].usage or Usage()) if searches else Usage(),
        stages=tuple(found.stages),
        candidates=tuple(found.traced),
        ranked=tuple(item.passage for item in found.ranked),
        area=found.area,
    )
    return (yield from _decided(start, found, question, asked, parts=parts, clock=clock))


def _decided(
    start: Outcome, found: Found, question: str, asked: Asked, *, parts: Parts, clock: Clock
) -> Generator[Step, None, Outcome]:
    signals = signals_of(found, asked, parts)
    start = replace(start, signals=signals.values() if signals else {})
    decision = abstain.decide(signals, parts.thresholds)
    if decision is not abstain.Verdict.ANSWER:
        related = related_of(found) if decision is abstain.Verdict.RELATED else ()
        if not parts.corpus.still_linked([cited.passage for cited in related]):
            return replace(start, status=Status.BLOCKED, missing=UNLINKED)
        return replace(start, related=related)
    if found.ownerless:
        return replace(start, status=Status.BLOCKED, missing="no_owner")
    sent = [item.passage for item in found.sent]
    start = replace(start, sent=tuple(sent))
    if not parts.corpus.still_linked(sent):
        return replace(start, status=Status.BLOCKED, missing=UNLINKED)
    yield Step("reading", len(sent))
    generation, cached = generate(question, found, parts)
    clock.lap("generate")
    yield Step("verifying", len(generation.claims))
    verdicts = verify(generation.claims, sent, parts.corpus.glossary())
    claims = claims_of(verdicts, sent)
    conflict = conflict_of(question, found, asked, parts)
    clock.lap("verify")
    start = replace(start, verdicts=tuple(verdicts), usage=start.usage + generation.usage, cached=cached)
    if conflict:
        return replace(start, status=Status.CONFLICT, conflict=conflict)
    return replace(start, status=Status.ANSWERED if claims else Status.NOT_FOUND, claims=claims)
