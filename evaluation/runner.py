"""Every case of a set through one system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from documents.rules.types import Reader
from evaluation.rules.cases import Case
from evaluation.rules.judging import Judged, judge
from evaluation.systems.base import System

Progress = Callable[[int, int], None]


def run(cases: Sequence[Case], readers: Mapping[str, Reader], system: System, progress: Progress) -> list[Judged]:
    """One judgement a case, in order; `progress` is told how many of how many are done."""
    judged = []
    for number, case in enumerate(cases, 1):
        judged.append(judge(case, system.answer(case, readers[case.person])))
        progress(number, len(cases))
    return judged
