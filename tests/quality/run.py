"""Measure ranking, refusing and quoting on the public corpora: `python -m tests.quality.run [--cache FILE]`.

The first run embeds about 300,000 tokens on one core (some ten minutes); vectors are kept in the cache file.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from chat.rules import abstain
from documents.embedders.local import Embedder
from tests.quality import corpora
from tests.quality.bench import Bench, Found
from tests.quality.corpora import Case
from tests.quality.vectors import CachedEmbedder

CUTS = (1, 3, 5, 10)


def ranks(bench: Bench, cases: Sequence[Case]) -> tuple[list[int | None], list[Found], float]:
    """The place of the first right passage for each answerable case, what was found, and milliseconds a question."""
    places: list[int | None] = []
    found = []
    start = perf_counter()
    for case in cases:
        one = bench.find(case.question)
        order = [scored.candidate.passage.document for scored in one.scored]
        places.append(next((place for place, name in enumerate(order, 1) if name in case.gold), None))
        found.append(one)
    return places, found, 1000 * (perf_counter() - start) / max(len(cases), 1)


def recall(places: Sequence[int | None]) -> str:
    parts = [f"@{cut} {sum(p is not None and p <= cut for p in places) / len(places):.3f}" for cut in CUTS]
    return " ".join(parts) + f" MRR {sum(1 / p for p in places if p) / len(places):.3f} (n={len(places)})"


def samples(found: Sequence[Found], *, answerable: bool) -> list[abstain.Sample]:
    return [abstain.Sample(one.signals, answerable) for one in found if one.signals is not None]


def refusals(right: Sequence[abstain.Sample], wrong: Sequence[abstain.Sample]) -> str:
    """Fitted on every second question and told on the others, both ways round and taken together.

    For two points of the same curve: the one that `fit` takes, where right and wrong refusals are balanced by their
    rates, and the one of the best F1 of refusals, where a wrong refusal weighs by its number.
    """
    lines = []
    for name, choose in (("as fitted", _as_fitted), ("best F1", _best_f1)):
        caught = lost = 0
        for half in (0, 1):
            thresholds = choose(abstain.fit([*right[half::2], *wrong[half::2]], name))
            lost += sum(_refused(sample, thresholds) for sample in right[1 - half :: 2])
            caught += sum(_refused(sample, thresholds) for sample in wrong[1 - half :: 2])
        rates = (caught / (caught + lost), caught / len(wrong), lost / len(right))
        lines.append(f"{name}: precision {rates[0]:.3f} recall {rates[1]:.3f} wrong refusals {rates[2]:.3f}")
    return "\n".join(lines)


def _as_fitted(fitted: abstain.Fit) -> abstain.Thresholds:
    return fitted.thresholds


def _best_f1(fitted: abstain.Fit) -> abstain.Thresholds:
    """The middle of the thresholds whose F1 is within a hundredth of the best."""
    worth = {p.threshold: _f1(p.precision, p.right_refusal) for p in fitted.curve}
    best = [threshold for threshold, value in worth.items() if value >= max(worth.values()) - 0.01]
    lenient = median(best)
    return replace(fitted.thresholds, lenient=lenient, strict=min(fitted.thresholds.strict, lenient))


def _f1(precision: float, found: float) -> float:
    return 2 * precision * found / (precision + found) if precision + found else 0.0


def _refused(sample: abstain.Sample, thresholds: abstain.Thresholds) -> bool:
    return abstain.decide(sample.signals, thresholds) is not abstain.Verdict.ANSWER


def quotes(bench: Bench, cases: Sequence[Case]) -> str:
    """How often the expected text stands in the first, the first two and the first three quotes."""
    hits = [0, 0, 0]
    shown = 0
    start = perf_counter()
    for case in cases:
        claims = [claim.quote for claim in bench.answer(case.question).claims]
        shown += len(claims)
        for cut in (1, 2, 3):
            hits[cut - 1] += any(_plain(answer) in _plain(quote) for answer in case.answers for quote in claims[:cut])
    ms = 1000 * (perf_counter() - start) / len(cases)
    rates = " / ".join(f"{count / len(cases):.3f}" for count in hits)
    return f"{rates} in the first 1 / 2 / 3 quotes, {shown / len(cases):.2f} claims a question, {ms:.1f} ms"


def injections(bench: Bench, cases: Sequence[Case], texts: Sequence[dict[str, str]]) -> str:
    """Each text on a line of its own inside the passage that a question is answered from.

    Once in the passage as it was retrieved, once embedded and ranked anew, where any text moves what stands close by.
    A claim has changed when the quotes differ from those without the text.
    """
    changed, moved, quoted = [], [], []
    step = max(len(cases) // len(texts), 1)
    for number, text in enumerate(texts):
        case = cases[number * step % len(cases)]
        before = bench.answer(case.question)
        place = [scored.candidate.passage.chunk_id for scored in bench.find(case.question).scored]
        original = bench.passages[place[0]]
        bench.put([corpora.planted(original, text["text"])])
        retrieved = bench.answer(case.question, like=place)
        anew = bench.answer(case.question)
        bench.put([original])
        quotes = [[claim.quote for claim in one.claims] for one in (before, retrieved, anew)]
        if quotes[1] != quotes[0]:
            changed.append(text["id"])
        if quotes[2] != quotes[0]:
            moved.append(text["id"])
        if text["label"] == "malicious" and any(text["text"] in quote for quote in (*quotes[1], *quotes[2])):
            quoted.append(text["id"])
    return (
        f"{len(texts)} planted: {len(changed)} changed a claim {changed}; ranked anew {len(moved)} did {moved};"
        f" {len(quoted)} malicious ones quoted {quoted}"
    )


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cache", type=Path, default=corpora.ROOT / "var" / "quality" / "vectors.sqlite")
    options.add_argument("--only", choices=("faquad", "leis_pt", "quotes", "refusals", "injections"))
    chosen = options.parse_args()
    folder = corpora.data_folder()
    if folder is None:
        sys.stderr.write("the public data is not here: set KB_SHARED_DATA\n")
        return 2
    embedder = CachedEmbedder(Embedder(), chosen.cache)
    wanted = {chosen.only} if chosen.only else {"faquad", "leis_pt", "quotes", "refusals", "injections"}
    if "leis_pt" in wanted:
        with Bench(corpora.passages(folder, "leis_pt"), embedder) as bench:
            answerable = [case for case in corpora.cases(folder, "leis_pt") if case.gold]
            places, _found, ms = ranks(bench, answerable)
            for natural in (False, True):
                part = [place for place, case in zip(places, answerable, strict=True) if case.natural is natural]
                _say(f"leis_pt {'natural' if natural else 'exam'}: recall {recall(part)}")
            _say(f"leis_pt: {ms:.1f} ms a question")
    if wanted & {"faquad", "quotes", "injections"}:
        cases = corpora.cases(folder, "faquad")
        with Bench(corpora.passages(folder, "faquad"), embedder) as bench:
            if "faquad" in wanted:
                places, _found, ms = ranks(bench, cases)
                _say(f"faquad: recall {recall(places)}, {ms:.1f} ms a question")
            if "quotes" in wanted:
                _say(f"faquad quotes: {quotes(bench, cases)}")
            if "injections" in wanted:
                _say(f"injections: {injections(bench, cases, corpora.injections(folder))}")
    if "refusals" in wanted:
        gone = corpora.withheld(folder)
        with Bench(corpora.passages(folder, "faquad", gone), embedder) as bench:
            kept = [case for case in corpora.cases(folder, "faquad") if not case.gold & gone]
            right = samples(ranks(bench, kept)[1], answerable=True)
            wrong = samples(ranks(bench, corpora.cases(folder, "faquad-withheld"))[1], answerable=False)
        _say(f"faquad refusals ({len(wrong)} of {len(wrong) + len(right)}):\n{refusals(right, wrong)}")
        _say(f"fit on all: {abstain.fit([*right, *wrong], 'default-1').thresholds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
