"""What the portal sees of questions before it decides to answer, and the thresholds fitted on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date

from chat.models import Calibration
from chat.rules.abstain import Fit, Sample, Signals
from chat.rules.types import Status
from documents.rules.types import Reader
from documents.search import active
from evaluation.rules.cases import Case
from evaluation.systems.portal import Portal

DECIDED = (Status.ANSWERED, Status.CONFLICT, Status.NOT_FOUND)


def samples(
    cases: Sequence[Case], readers: Mapping[str, Reader], today: date, progress: Callable[[int, int], None]
) -> list[Sample]:
    """One sample for each case that thresholds decide.

    A question that should be asked back or stopped, and one that finds nothing at all, is decided elsewhere: it
    teaches nothing about them.
    """
    portal, found = Portal(active.embedder().count, today), []
    for number, case in enumerate(cases, 1):
        signals = portal.outcome(case, readers[case.person]).signals
        if signals and case.status in DECIDED:
            found.append(Sample(_signals(signals), case.answerable))
        progress(number, len(cases))
    return found


def store(fitted: Fit, questions: int, source: str) -> Calibration:
    """Put the thresholds to use: the newest row decides."""
    return Calibration.objects.create(
        thresholds=asdict(fitted.thresholds),
        questions=questions,
        curve=[asdict(point) for point in fitted.curve],
        source=source,
    )


def _signals(values: Mapping[str, float]) -> Signals:
    # The record keeps how many names were unknown, not which; only whether there are any decides.
    return Signals(values["coverage"], values["closeness"], ("",) * int(values["unknown"]), values["commonness"])
