"""Right source, right refusal, wrong source, invention, wrong refusal: what each answer was, and how often.

An average over them would hide the two that hurt: refusing everything has no inventions, answering everything no
refusals. So each is counted over the questions that it can happen to.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chat.rules.types import Status, Usage
from documents.rules.normalise import normalise
from evaluation.rules.cases import Case, Source

CUTS = (1, 3, 5, 10)
Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote or a ranked passage stands."""

    document: str
    section: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Given:
    """What a system answered. `unsupported` counts claims without a literal quote in an eligible revision."""

    status: Status
    places: tuple[Place, ...]
    text: str
    unsupported: int
    ranked: tuple[Place, ...]
    usage: Usage
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """`verdict` is one of right_source, wrong_source, missing_fact, wrong_refusal, right_refusal, false_answer, invention, other.

    An invention is a claim without a literal quote; a false answer quotes a text that does not answer.
    """

    case: Case
    given: Given
    verdict: str
    ok: bool
    why: str
    rank: int | None


def judge(case: Case, given: Given) -> Judged:
    verdict, why = _verdict(case, given)
    return Judged(case, given, verdict, verdict in ("right_source", "right_refusal"), why, _rank(case, given.ranked))


def matches(source: Source, place: Place) -> bool:
    if source.document != place.document:
        return False
    wanted = source.section
    return wanted is None or wanted == place.anchor or normalise(wanted).casefold() in normalise(place.section).casefold()


def _verdict(case: Case, given: Given) -> tuple[str, str]:
    if given.unsupported:
        return "invention", f"{given.unsupported} claims have no literal quote"
    if not case.answerable:
        if given.status is case.status:
            return "right_refusal", ""
        if given.status is Status.ANSWERED:
            return "false_answer", f"answered from {_listed(given.places)}, expected {case.status}"
        return "other", f"{given.status}, expected {case.status}"
    if given.status is Status.NOT_FOUND:
        return "wrong_refusal", "refused although the base has the answer"
    if given.status is not case.status:
        return "other", f"{given.status}, expected {case.status}"
    if case.sources and not any(matches(source, place) for source in case.sources for place in given.places):
        return "wrong_source", f"cited {_listed(given.places)}"
    text = normalise(given.text).casefold()
    missing = [fact for fact in case.facts if normalise(fact).casefold() not in text]
    if missing:
        return "missing_fact", f"the answer lacks {missing[0]!r}"
    return "right_source", ""


def _listed(places: Sequence[Place]) -> str:
    return ", ".join(dict.fromkeys(f"{place.document}#{place.anchor}" for place in places)) or "nothing"


def _rank(case: Case, ranked: Sequence[Place]) -> int | None:
    for number, place in enumerate(ranked, 1):
        if any(matches(source, place) for source in case.sources):
            return number
    return None


@dataclass(frozen=True, slots=True)
class Report:
    """Counts by verdict, with rates where named so. `recall` and `mrr` are over ranked passages before the cut."""

    system: str
    n: int
    answerable: int
    unanswerable: int
    counts: Mapping[str, int]
    statuses: Mapping[str, int]
    recall: Mapping[int, float]
    mrr: float
    usage: Usage
    intervals: Mapping[str, tuple[float, float]]
    rates: Mapping[str, float] = field(default_factory=dict)


def report(system: str, judged: Sequence[Judged]) -> Report:
    answerable = [j for j in judged if j.case.answerable]
    unanswerable = [j for j in judged if not j.case.answerable]
    counts = Counter(j.verdict for j in judged)
    ranked = [j for j in answerable if j.case.sources]
    answered = [j for j in answerable if j.verdict in ("right_source", "wrong_source", "missing_fact")]
    shares = {
        "right_source": (_count(answered, "right_source", "missing_fact"), len(answered)),
        "right_answer": (_count(answerable, "right_source"), len(answerable)),
        "wrong_source": (_count(answerable, "wrong_source"), len(answerable)),
        "wrong_refusal": (_count(answerable, "wrong_refusal"), len(answerable)),
        "right_refusal": (_count(unanswerable, "right_refusal"), len(unanswerable)),
        "invention": (sum(j.given.unsupported > 0 for j in judged), len(judged)),
        "false_answer": (_count(unanswerable, "false_answer"), len(unanswerable)),
    }
    usage = sum((j.given.usage for j in judged), Usage())
    return Report(
        system=system,
        n=len(judged),
        answerable=len(answerable),
        unanswerable=len(unanswerable),
        counts=counts,
        statuses=Counter(str(j.given.status) for j in judged),
        recall={cut: _share([j.rank is not None and j.rank <= cut for j in ranked]) for cut in CUTS},
        mrr=math.fsum(1 / j.rank for j in ranked if j.rank) / len(ranked) if ranked else 0.0,
        usage=usage,
        intervals={name: wilson(hits, total) for name, (hits, total) in shares.items()},
        rates={name: hits / total if total else 0.0 for name, (hits, total) in shares.items()},
    )


def by_tag(system: str, judged: Sequence[Judged]) -> dict[str, Report]:
    tags = sorted({tag for j in judged for tag in j.case.tags})
    return {tag: report(system, [j for j in judged if tag in j.case.tags]) for tag in tags}


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score; (0, 1) when nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    share, square = hits / total, Z95**2
    centre = (share + square / (2 * total)) / (1 + square / total)
    half = Z95 / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    return max(0.0, centre - half), min(1.0, centre + half)


def _count(judged: Sequence[Judged], *verdicts: str) -> int:
    return sum(j.verdict in verdicts for j in judged)


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0

