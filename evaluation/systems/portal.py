"""The portal itself, by the pipeline that people are answered with; nothing is recorded, because nobody asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from chat import assembly
from chat.pipeline import Ask, outcome_of, run
from chat.rules.outcome import Cited, Outcome
from chat.rules.types import Generation
from chat.services import cleaned
from documents.rules.passage import Passage
from documents.rules.types import Reader
from evaluation.rules.cases import Case
from evaluation.rules.judging import Given
from evaluation.systems.places import Quoted, place, unsupported


class NoCache:
    """Remembers nothing: each answer of an evaluation costs what it costs a person who is the first to ask."""

    def get(self, key: str) -> Generation | None:
        return None

    def set(self, key: str, value: Generation, sent: Sequence[Passage]) -> None:
        pass


class Portal:
    """`count` counts tokens, `today` is the day on which the questions are asked."""

    name = "final"

    def __init__(self, count: Callable[[str], int], today: date) -> None:
        self._count = count
        self._today = today

    def answer(self, case: Case, reader: Reader) -> Given:
        outcome = self.outcome(case, reader)
        claims = [[_quoted(cited) for cited in claim.citations] for claim in outcome.claims]
        claims += [[_quoted(cited)] for cited in outcome.conflict]
        cited = [cited for claim in outcome.claims for cited in claim.citations] + list(outcome.conflict)
        return Given(
            status=outcome.status,
            places=tuple(place(item.passage) for item in cited),
            text="\n".join([*(claim.text for claim in outcome.claims), *(item.quote for item in cited)]),
            unsupported=unsupported(claims, reader, outcome.on, self._today),
            ranked=tuple(place(passage) for passage in outcome.ranked),
            usage=outcome.usage,
            sent_tokens=self._sent(outcome),
            ms=outcome.timings.get("total", 0.0),
        )

    def outcome(self, case: Case, reader: Reader) -> Outcome:
        """All that the pipeline says of a case."""
        ask = Ask(cleaned(case.question), reader, self._today, case.on, case.history)
        return outcome_of(run(ask, replace(assembly.parts(), cache=NoCache())))

    def _sent(self, outcome: Outcome) -> int:
        if "generate" not in outcome.timings:
            return 0
        return sum(self._count(text) for text in (outcome.standalone, *(passage.text for passage in outcome.sent)))


def _quoted(cited: Cited) -> Quoted:
    start = cited.passage.start
    return Quoted(int(cited.passage.revision_id), start + cited.start, start + cited.end, cited.quote)
