"""One answer against what was expected of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat.rules.types import Status, Usage
from documents.rules.normalise import normalise
from evaluation.rules.cases import Case, Source

VERDICTS = (
    "right_source", "missing_fact", "wrong_source", "wrong_refusal",
    "right_refusal", "false_answer", "invention", "other",
)  # fmt: skip
RIGHT = ("right_source", "right_refusal")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote or a ranked passage stands; `sections` are headings from the outermost to its own."""

    document: str
    sections: tuple[str, ...]
    anchor: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a system answered: the places it cites, the text it shows, and its ranked passages before the cut.

    `unsupported` counts claims without a literal quote of a revision that this person may be answered from that day.
    `usage` is what the generator was charged, `sent_tokens` what a model is sent for this answer (the passages and the
    question, without the fixed instructions), counted also where no model reads them. `ms` is the time of the answer.
    """

    status: Status
    places: tuple[Place, ...]
    text: str
    unsupported: int
    ranked: tuple[Place, ...]
    usage: Usage
    sent_tokens: int = 0
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """`verdict` is one of `VERDICTS`, `why` says what is wrong where the answer is not `ok`.

    `missing_fact` is a right source without a fact that was asked for; `false_answer` quotes a text that does not
    answer. `rank` is the first acceptable source's place in `given.ranked`, from 1.
    """

    case: Case
    given: Given
    verdict: str
    ok: bool
    why: str
    rank: int | None

    @property
    def right_document(self) -> bool:
        """Whether an acceptable document is cited, in whatever section."""
        return bool({source.document for source in self.case.sources} & {place.document for place in self.given.places})


def judge(case: Case, given: Given) -> Judged:
    verdict, why = _verdict(case, given)
    return Judged(case, given, verdict, verdict in RIGHT, why, _rank(case, given.ranked))


def matches(source: Source, place: Place) -> bool:
    """Whether the place lies in the source: in its document, and in its section or a section below it."""
    if source.document != place.document:
        return False
    if source.section is None or source.section == place.anchor:
        return True
    wanted = re.compile(rf"(?<![\w.]){re.escape(_plain(source.section))}(?!\w)")
    return any(wanted.search(_plain(heading)) for heading in place.sections)


def _verdict(case: Case, given: Given) -> tuple[str, str]:
    if given.unsupported:
        return "invention", f"{given.unsupported} claims without a literal quote of a text that may be quoted"
    if given.status is not case.status:
        return _other_status(case, given)
    if not case.answerable:
        return "right_refusal", ""
    if not any(matches(source, place) for source in case.sources for place in given.places):
        return "wrong_source", f"cited {_listed(given.places)}"
    text = _plain(given.text)
    missing = [fact for fact in case.facts if _plain(fact) not in text]
    if missing:
        return "missing_fact", f"the answer lacks {missing[0]!r}"
    return "right_source", ""


def _other_status(case: Case, given: Given) -> tuple[str, str]:
    if case.answerable and given.status is Status.NOT_FOUND:
        return "wrong_refusal", "refused although the base has the answer"
    false = not case.answerable and given.status is Status.ANSWERED
    return "false_answer" if false else "other", f"{given.status} from {_listed(given.places)}, expected {case.status}"


def _rank(case: Case, ranked: Sequence[Place]) -> int | None:
    for number, place in enumerate(ranked, 1):
        if any(matches(source, place) for source in case.sources):
            return number
    return None


def _listed(places: Sequence[Place]) -> str:
    return ", ".join(dict.fromkeys(f"{place.document}#{place.anchor}" for place in places)) or "nothing"


def _plain(text: str) -> str:
    return normalise(text).casefold()
