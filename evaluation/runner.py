"""Every case of a set through one system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from documents.errors import DomainError
from documents.rules.types import Reader
from evaluation.loading import UnusableSet
from evaluation.rules.cases import Case
from evaluation.rules.judging import Judged, judge
from evaluation.systems.base import System

Progress = Callable[[int, int], None]


def run(cases: Sequence[Case], readers: Mapping[str, Reader], system: System, progress: Progress) -> list[Judged]:
    """One judgement a case, in order; `progress` is told how many of how many are done.

    Raises `UnusableSet` naming the line of a question that the system does not take.
    """
    judged = []
    for number, case in enumerate(cases, 1):
        try:
            given = system.answer(case, readers[case.person])
        except DomainError as error:
            raise UnusableSet(f"line {case.line}: {error}") from error
        judged.append(judge(case, given))
        progress(number, len(cases))
    return judged
