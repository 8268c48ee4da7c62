"""Right source, right refusal, wrong source, invention, wrong refusal: what each answer was, and how often.

An average over them would hide the two that hurt: refusing everything has no inventions, answering everything no
refusals. So each is counted over the questions that it can happen to.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from chat.rules.types import Usage
from evaluation.rules.judging import Judged
from evaluation.rules.shares import wilson

CUTS = (1, 3, 5, 10)
FROM_A_RIGHT_SOURCE = ("right_source", "missing_fact")
ANSWERED = (*FROM_A_RIGHT_SOURCE, "wrong_source")


@dataclass(frozen=True, slots=True)
class Report:
    """`counts` are questions by name, `rates` the same over those that it can happen to, with `intervals` of 95 %.

    - `right_source`: answered from an acceptable source, of the answerable questions that were answered
    - `right_document`: the same, in whatever section of an acceptable document
    - `right_answer`: a right source, with every fact, of all answerable questions; `missing_fact`: that, without one
    - `wrong_source`, `wrong_refusal`: of the answerable
    - `right_refusal`, `false_answer`: of those that must not be answered
    - `invention`: of all, those with a claim that no text bears out literally that this person may read for that day

    `other` counts the questions that came to a status which is none of these. `recall` and `mrr` are over the ranked
    passages before the cut, of the answerable questions. `usage` is what was charged, `sent_tokens` what a model would
    be sent. `ms` is the median time of an answer.
    """

    system: str
    n: int
    answerable: int
    unanswerable: int
    counts: Mapping[str, int]
    other: Mapping[str, int]
    rates: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    recall: Mapping[int, float]
    mrr: float
    usage: Usage
    sent_tokens: int
    ms: float

    @property
    def cost_per_question(self) -> float:
        return self.usage.cost / self.n if self.n else 0.0


def report(system: str, judged: Sequence[Judged]) -> Report:
    answerable = [j for j in judged if j.case.answerable]
    unanswerable = [j for j in judged if not j.case.answerable]
    answered = [j for j in answerable if j.verdict in ANSWERED]
    shares = {
        "right_source": (_count(answered, *FROM_A_RIGHT_SOURCE), len(answered)),
        "right_document": (sum(j.right_document for j in answered), len(answered)),
        "right_answer": (_count(answerable, "right_source"), len(answerable)),
        "missing_fact": (_count(answerable, "missing_fact"), len(answerable)),
        "wrong_source": (_count(answerable, "wrong_source"), len(answerable)),
        "wrong_refusal": (_count(answerable, "wrong_refusal"), len(answerable)),
        "right_refusal": (_count(unanswerable, "right_refusal"), len(unanswerable)),
        "false_answer": (_count(unanswerable, "false_answer"), len(unanswerable)),
        "invention": (_count(judged, "invention"), len(judged)),
    }
    ranks = [j.rank for j in answerable]
    recall = {cut: sum(rank is not None and rank <= cut for rank in ranks) for cut in CUTS}
    shares |= {f"recall@{cut}": (hits, len(ranks)) for cut, hits in recall.items()}
    return Report(
        system=system,
        n=len(judged),
        answerable=len(answerable),
        unanswerable=len(unanswerable),
        counts={name: hits for name, (hits, _total) in shares.items() if not name.startswith("recall")},
        other=Counter(str(j.given.status) for j in judged if j.verdict == "other"),
        rates={name: hits / total if total else 0.0 for name, (hits, total) in shares.items()},
        intervals={name: wilson(hits, total) for name, (hits, total) in shares.items()},
        recall={cut: hits / len(ranks) if ranks else 0.0 for cut, hits in recall.items()},
        mrr=math.fsum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0,
        usage=sum((j.given.usage for j in judged), Usage()),
        sent_tokens=sum(j.given.sent_tokens for j in judged),
        ms=median([j.given.ms for j in judged] or [0.0]),
    )


def by_tag(system: str, judged: Sequence[Judged]) -> dict[str, Report]:
    tags = sorted({tag for j in judged for tag in j.case.tags})
    return {tag: report(system, [j for j in judged if tag in j.case.tags]) for tag in tags}


def _count(judged: Sequence[Judged], *verdicts: str) -> int:
    return sum(j.verdict in verdicts for j in judged)
