"""Gates: the figures that an evaluation must reach, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.rules.metrics import Report

BOUNDS = frozenset({"min", "max"})


class BadGates(ValueError):
    """The gates can't be read; the message says which one and why."""


@dataclass(frozen=True, slots=True)
class Gate:
    """`metric` is a name of `figures`, of one tag's questions where it is written `tag/metric`."""

    metric: str
    least: float | None
    most: float | None


def read(value: object) -> list[Gate]:
    """Gates from `{metric: {min: number, max: number}}`, at least one bound each. Raises `BadGates`."""
    if not isinstance(value, dict) or not value:
        raise BadGates("expected {metric: {min: number, max: number}}")
    return [_gate(str(metric), bounds) for metric, bounds in value.items()]


def _gate(metric: str, bounds: object) -> Gate:
    if not isinstance(bounds, dict) or not bounds or bounds.keys() - BOUNDS:
        raise BadGates(f"{metric}: expected min, max or both")
    for name, number in bounds.items():
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise BadGates(f"{metric}: {name} is not a number")
    return Gate(metric, bounds.get("min"), bounds.get("max"))


def figures(report: Report) -> dict[str, float]:
    """What a gate can ask of a report: its rates, `mrr`, `n`, and what a question costs."""
    per_question = {
        "prompt_tokens": report.usage.prompt_tokens,
        "completion_tokens": report.usage.completion_tokens,
        "sent_tokens": report.sent_tokens,
    }
    return {
        **report.rates,
        "mrr": report.mrr,
        "n": report.n,
        "answerable": report.answerable,
        "unanswerable": report.unanswerable,
        "cost_per_question": report.cost_per_question,
        "ms": report.ms,
        **{f"{name}_per_question": tokens / report.n if report.n else 0.0 for name, tokens in per_question.items()},
    }


def failed(gates: list[Gate], whole: Report, tags: Mapping[str, Report]) -> list[str]:
    """One line for each gate that does not hold. Raises `BadGates` for a metric or a tag that there is not."""
    lines = []
    for gate in gates:
        tag, slash, name = gate.metric.rpartition("/")
        if slash and tag not in tags:
            raise BadGates(f"{gate.metric}: no question has the tag {tag!r}")
        known = figures(tags[tag] if slash else whole)
        if name not in known:
            raise BadGates(f"{gate.metric}: not one of {', '.join(sorted(known))}")
        value = known[name]
        if gate.least is not None and value < gate.least:
            lines.append(f"{gate.metric} is {value:.4g}, below {gate.least:g}")
        if gate.most is not None and value > gate.most:
            lines.append(f"{gate.metric} is {value:.4g}, above {gate.most:g}")
    return lines
