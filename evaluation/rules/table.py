"""An evaluation as lines of text, narrow enough for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.rules.compare import Paired
from evaluation.rules.judging import Judged
from evaluation.rules.metrics import CUTS, Report

ROWS = (
    "right_source", "right_document", "right_answer", "missing_fact", "wrong_source", "wrong_refusal",
    "right_refusal", "false_answer", "invention",
)  # fmt: skip
WORST = 25
"""How many cases that went wrong are listed."""


def summary(whole: Report) -> list[str]:
    """The rates with their counts and 95 % intervals, then ranking and cost."""
    lines = [f"{whole.system}: {whole.n} questions, {whole.answerable} answerable, {whole.unanswerable} not"]
    for name in ROWS:
        low, high = whole.intervals[name]
        lines.append(f"  {name:14} {whole.counts[name]:4}   {whole.rates[name]:.3f}  [{low:.3f}, {high:.3f}]")
    lines.extend(f"  {'came to ' + status:22} {count}" for status, count in sorted(whole.other.items()))
    if whole.mrr:
        recall = "  ".join(f"@{cut} {whole.recall[cut]:.3f}" for cut in CUTS)
        lines.append(f"  recall {recall}   MRR {whole.mrr:.3f}")
    sent, charged = (tokens / whole.n if whole.n else 0.0 for tokens in (whole.sent_tokens, whole.usage.prompt_tokens))
    lines.append(
        f"  a question: {sent:.0f} tokens for a model to read ({charged:.0f} charged),"
        f" cost {whole.cost_per_question:.6f}, median {whole.ms:.0f} ms"
    )
    return lines


def tags(parts: Mapping[str, Report]) -> list[str]:
    """One line a tag. A rate is a dash where nothing could be counted."""
    columns = " ".join(f"{name:>7}" for name in ("source", "answer", "w.ref", "r.ref", "invent", "@1", "@5"))
    lines = [f"  {'tag':20} {'n':>4} {columns}"]
    for tag, part in parts.items():
        asked, refused = part.answerable > 0, part.unanswerable > 0
        cells = [
            (part.rates["right_source"], asked),
            (part.rates["right_answer"], asked),
            (part.rates["wrong_refusal"], asked),
            (part.rates["right_refusal"], refused),
            (part.rates["invention"], True),
            (part.recall[1], asked),
            (part.recall[5], asked),
        ]
        values = " ".join(f"{value:7.3f}" if counted else f"{'–':>7}" for value, counted in cells)
        lines.append(f"  {tag:20} {part.n:4} {values}")
    return lines


def wrong(judged: Sequence[Judged]) -> list[str]:
    """The cases that went wrong, with why; the first `WORST` of them."""
    bad = [j for j in judged if not j.ok]
    lines = [f"  {j.case.id:10} {j.verdict:14} {j.case.question[:60]!r}: {j.why}" for j in bad[:WORST]]
    if len(bad) > WORST:
        lines.append(f"  … and {len(bad) - WORST} more: --json lists them all")
    return lines


def comparison(a: str, b: str, lines: Sequence[Paired]) -> list[str]:
    """Both systems' shares over the same questions, and the difference with its 95 % interval and McNemar's p."""
    out = [f"  {'':14} {'n':>4} {a:>14} {b:>14}  difference [95 %]          only one right   p"]
    for line in lines:
        low, high = line.interval
        shares = f"{line.n:4} {line.a:14.3f} {line.b:14.3f}"
        difference = f"{line.difference:+.3f} [{low:+.3f}, {high:+.3f}]"
        out.append(f"  {line.name:14} {shares}  {difference}   {line.only_a:4} / {line.only_b:<4}   {line.p:.4f}")
    return out
