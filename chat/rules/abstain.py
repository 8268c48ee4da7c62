"""Answer, offer something to read, or refuse: decided by how well the best passage covers the question.

Three signals count: the share of the question's content that the best passage covers, how much nearer the best
sentence is to the question than Portuguese is in general, and how near that is, since a raw cosine says little where
the same value is near for one question and far for another. Three numbers in a logistic; more of them overfit. The
thresholds belong to a corpus and are fitted on its own questions; until then the default refuses rather too often.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from chat.rules.coverage import Unit

Column = NDArray[np.float64]


class Verdict(StrEnum):
    ANSWER = "answer"
    RELATED = "related"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Signals:
    """What the best passage says of a question.

    `coverage` (0 to 1) is `coverage.told` of heading and text together; `closeness` is the cosine of the best sentence
    that could be quoted less `commonness`, that of the words of the language in general. `unknown` are names, codes and
    numbers of the question that stand nowhere in what the reader may read.
    """

    coverage: float
    closeness: float
    unknown: tuple[str, ...] = ()
    commonness: float = 0.0

    def values(self) -> dict[str, float]:
        """The numbers, for the evidence record."""
        return {
            "coverage": self.coverage,
            "closeness": self.closeness,
            "commonness": self.commonness,
            "unknown": float(len(self.unknown)),
        }


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A score is the logistic of `intercept + coverage·… + closeness·… + commonness·…`, between 0 and 1.

    Below `strict` nothing is offered; from `lenient` on the question is answered; between the two there are passages to
    read.
    """

    version: str
    intercept: float
    coverage: float
    closeness: float
    strict: float
    lenient: float
    commonness: float = 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    signals: Signals
    answerable: bool


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold would do to the samples. Rates; `precision` is of the refusals, 1 where there are none."""

    threshold: float
    right_refusal: float
    wrong_refusal: float
    precision: float


@dataclass(frozen=True, slots=True)
class Fit:
    thresholds: Thresholds
    curve: tuple[Point, ...]


# Fitted by tests/quality/run.py on a public corpus whose questions repeat their passages' words.
DEFAULT = Thresholds(
    "default-1", intercept=-15.9, coverage=7.9, closeness=74.4, strict=0.34, lenient=0.54, commonness=11.5
)

MOST_WRONG_REFUSALS = 0.10
"""The share of the answerable questions that a fit lets be refused, unless another one is asked for."""

_FEWEST = 10
_FOLDS = 10
_SURELY = 0.01
"""At most this share of the answerable questions is refused without anything to read."""
_PLATEAU = 0.01
_RIDGE = 1.0


def unknown(asked: Sequence[Unit], known: Collection[str]) -> tuple[str, ...]:
    """Names, codes and long numbers of the question that the reader's base has nowhere; `known` are those it has."""
    return tuple(
        unit.stem
        for unit in asked
        if unit.exact
        and unit.stem not in known
        and not any(_all_known(group, known) for group in unit.alternatives)
        and not (unit.stem.replace(",", "").isdigit() and len(unit.stem) < 3)
    )


def asked_about(units: Sequence[Unit]) -> tuple[str, ...]:
    """The terms that `unknown` wants to know about: to be looked up in what the reader may read."""
    exact = [unit for unit in units if unit.exact]
    return tuple(dict.fromkeys(term for unit in exact for term in (unit.stem, *sum(unit.alternatives, ()))))


def _all_known(group: Sequence[str], known: Collection[str]) -> bool:
    return all(term in known for term in group)


def score(signals: Signals, thresholds: Thresholds) -> float:
    """How likely the best passage answers the question, as far as the fit knows."""
    value = (
        thresholds.intercept
        + thresholds.coverage * signals.coverage
        + thresholds.closeness * signals.closeness
        + thresholds.commonness * signals.commonness
    )
    return float(1 / (1 + np.exp(-value)))


def decide(signals: Signals | None, thresholds: Thresholds) -> Verdict:
    """`None` stands for no candidate at all. A name that stands nowhere forbids an answer by itself."""
    if signals is None:
        return Verdict.REFUSE
    value = score(signals, thresholds)
    if value < thresholds.strict:
        return Verdict.REFUSE
    return Verdict.RELATED if value < thresholds.lenient or signals.unknown else Verdict.ANSWER


def fit(samples: Sequence[Sample], version: str, most_wrong_refusals: float = MOST_WRONG_REFUSALS) -> Fit:
    """The thresholds that refuse best, with at most this share of the answerable questions refused.

    The weights are of all samples. The curve and the thresholds are of scores that each sample got from weights fitted
    without it: a set judges itself too kindly, and what it allows would be overrun by the questions to come. Raises
    ValueError when either kind of question has fewer than ten samples.
    """
    answerable = np.array([sample.answerable for sample in samples], dtype=bool)
    if min(answerable.sum(), (~answerable).sum()) < _FEWEST:
        raise ValueError(f"a fit needs at least {_FEWEST} answerable and {_FEWEST} unanswerable questions")
    features = np.array([[s.signals.coverage, s.signals.closeness, s.signals.commonness] for s in samples])
    target = answerable.astype(np.float64)
    scores, folds = np.zeros(len(samples)), _folds(answerable)
    for fold in range(_FOLDS):
        out = folds == fold
        intercept, *weights = _logistic(features[~out], target[~out])
        scores[out] = 1 / (1 + np.exp(-(intercept + features[out] @ np.array(weights))))
    scores[[bool(sample.signals.unknown) for sample in samples]] = 0.0
    curve = _curve(scores, answerable)
    lenient = _best(curve, most_wrong_refusals)
    strict = max((p.threshold for p in curve if p.wrong_refusal <= _SURELY and p.threshold <= lenient), default=0.0)
    intercept, coverage, closeness, commonness = _logistic(features, target)
    bounds = {"strict": round(strict, 4), "lenient": round(lenient, 4)}
    return Fit(Thresholds(version, intercept, coverage, closeness, commonness=commonness, **bounds), curve)


def _folds(answerable: NDArray[np.bool_]) -> NDArray[np.int_]:
    """The number of each sample's fold: both kinds spread evenly, in their order, so that a fit can be repeated."""
    folds = np.zeros(len(answerable), dtype=np.int_)
    for kind in (answerable, ~answerable):
        folds[kind] = np.arange(kind.sum()) % _FOLDS
    return folds


def _curve(scores: Column, answerable: NDArray[np.bool_]) -> tuple[Point, ...]:
    points = []
    for threshold in np.round(np.linspace(0, 1, 201), 4):
        refused = scores < threshold
        right, wrong = int((refused & ~answerable).sum()), int((refused & answerable).sum())
        points.append(
            Point(
                float(threshold),
                right / int((~answerable).sum()),
                wrong / int(answerable.sum()),
                right / (right + wrong) if right + wrong else 1.0,
            )
        )
    return tuple(points)


def _best(curve: Sequence[Point], most_wrong: float) -> float:
    """The middle of the plateau where right refusals lead wrong ones most: a peak of one question won't come again.

    By their rates, so that it does not matter how many questions of each kind a set happens to have.
    """
    allowed = [point for point in curve if point.wrong_refusal <= most_wrong]
    lead = [point.right_refusal - point.wrong_refusal for point in allowed]
    plateau = [point.threshold for point, value in zip(allowed, lead, strict=True) if value >= max(lead) - _PLATEAU]
    return float(np.median(plateau))


def _logistic(features: Column, target: Column) -> tuple[float, ...]:
    """Ridge logistic regression by Newton's method on standardised features; weights for the raw ones."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(features)), (features - mean) / spread])
    ridge = _RIDGE * np.diag([0.0, *np.ones(features.shape[1])])
    weights = np.zeros(features.shape[1] + 1)
    for _ in range(50):
        probability = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (probability - target) + ridge @ weights
        curvature = (design * (probability * (1 - probability))[:, None]).T @ design + ridge
        step = np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), slope)
        weights -= step
        if np.abs(step).max() < 1e-8:
            break
    raw = weights[1:] / spread
    return float(weights[0] - raw @ mean), *(float(weight) for weight in raw)
