"""The JSON of an evaluation, whose names other programs read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from evaluation.rules.compare import Paired
from evaluation.rules.judging import Judged
from evaluation.rules.metrics import Report

Json = dict[str, object]


def evaluation(whole: Report, tags: Mapping[str, Report], judged: Sequence[Judged]) -> Json:
    return {
        **figures(whole),
        "by_tag": {tag: figures(part) for tag, part in tags.items()},
        "cases": [case(j) for j in judged],
    }


def figures(report: Report) -> Json:
    """Counts under their names; shares, with their 95 % intervals, under `rates` and `intervals`."""
    return {
        "system": report.system,
        "n": report.n,
        "answerable": report.answerable,
        "unanswerable": report.unanswerable,
        **report.counts,
        "other": dict(report.other),
        "rates": _rounded(report.rates),
        "intervals": {name: [round(low, 4), round(high, 4)] for name, (low, high) in report.intervals.items()},
        "recall": {str(cut): round(share, 4) for cut, share in report.recall.items()},
        "mrr": round(report.mrr, 4),
        "tokens": {
            "prompt": report.usage.prompt_tokens,
            "cached": report.usage.cached_tokens,
            "completion": report.usage.completion_tokens,
            "sent": report.sent_tokens,
        },
        "cost_per_question": report.cost_per_question,
        "ms": round(report.ms, 1),
    }


def case(judged: Judged) -> Json:
    return {
        "id": judged.case.id,
        "status": str(judged.given.status),
        "ok": judged.ok,
        "why": judged.why,
        "verdict": judged.verdict,
        "rank": judged.rank,
    }


def comparison(lines: Sequence[Paired]) -> list[Json]:
    return [{**asdict(line), "interval": [round(bound, 4) for bound in line.interval]} for line in lines]


def _rounded(values: Mapping[str, float]) -> Json:
    return {name: round(value, 4) for name, value in values.items()}
