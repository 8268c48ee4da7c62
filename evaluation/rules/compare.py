"""Two systems over the same questions: the difference is counted question by question, not from two averages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluation.rules.judging import Judged
from evaluation.rules.metrics import FROM_A_RIGHT_SOURCE
from evaluation.rules.shares import mcnemar, paired_interval

Test = Callable[[Judged], bool]
Over = Callable[[Judged], bool]

PAIRED: dict[str, tuple[Test, Over]] = {
    "right": (lambda j: j.ok, lambda _j: True),
    "right_source": (lambda j: j.verdict in FROM_A_RIGHT_SOURCE, lambda j: j.case.answerable),
    "right_answer": (lambda j: j.verdict == "right_source", lambda j: j.case.answerable),
    "wrong_refusal": (lambda j: j.verdict == "wrong_refusal", lambda j: j.case.answerable),
    "right_refusal": (lambda j: j.verdict == "right_refusal", lambda j: not j.case.answerable),
    "false_answer": (lambda j: j.verdict == "false_answer", lambda j: not j.case.answerable),
    "invention": (lambda j: j.verdict == "invention", lambda _j: True),
}
"""What is compared, and over which questions. Unlike a report's, the shares are over the same questions for both."""


@dataclass(frozen=True, slots=True)
class Paired:
    """`a` and `b` are the two systems' shares over `n` questions, `difference` is a − b with its 95 % interval.

    `only_a` and `only_b` count the questions where it holds of just one; `p` is McNemar's exact probability.
    """

    name: str
    n: int
    a: float
    b: float
    difference: float
    interval: tuple[float, float]
    only_a: int
    only_b: int
    p: float


def paired(a: Sequence[Judged], b: Sequence[Judged]) -> list[Paired]:
    """One line for each name of `PAIRED`. Raises ValueError unless both judged the same cases."""
    others = {j.case.id: j for j in b}
    if len(a) != len(b) or {j.case.id for j in a} != others.keys():
        raise ValueError("two systems are compared over the same questions")
    pairs = [(j, others[j.case.id]) for j in a]
    return [_line(name, test, [pair for pair in pairs if over(pair[0])]) for name, (test, over) in PAIRED.items()]


def _line(name: str, test: Test, pairs: Sequence[tuple[Judged, Judged]]) -> Paired:
    held = [(test(one), test(other)) for one, other in pairs]
    only_a, only_b = sum(x and not y for x, y in held), sum(y and not x for x, y in held)
    n = len(held)
    a, b = (sum(x for x, _y in held) / n, sum(y for _x, y in held) / n) if n else (0.0, 0.0)
    return Paired(name, n, a, b, a - b, paired_interval(only_a, only_b, n), only_a, only_b, mcnemar(only_a, only_b))
