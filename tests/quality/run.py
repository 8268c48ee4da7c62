"""Measure ranking, refusing and quoting on the public corpora: `python -m tests.quality.run [--cache FILE]`.

The first run embeds about 300,000 tokens on one core (some ten minutes); vectors are kept in the cache file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
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
    """Fitted on every second question and reported on the others, both ways round."""
    lines = []
    for first in (0, 1):
        thresholds = abstain.fit([*right[first::2], *wrong[first::2]], f"half-{first}").thresholds
        other = 1 - first
        kept = [abstain.decide(s.signals, thresholds) is abstain.Verdict.ANSWER for s in right[other::2]]
        answered = [abstain.decide(s.signals, thresholds) is abstain.Verdict.ANSWER for s in wrong[other::2]]
        caught, lost = answered.count(False), kept.count(False)
        lines.append(
            f"fit on half {first}: precision {caught / (caught + lost):.3f} recall {caught / len(answered):.3f}"
            f" wrong refusals {lost / len(kept):.3f} {thresholds}"
        )
    return "\n".join(lines)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cache", type=Path, default=corpora.ROOT / "var" / "quality" / "vectors.sqlite")
    options.add_argument("--only", choices=("faquad", "leis_pt", "refusals"))
    chosen = options.parse_args()
    folder = corpora.data_folder()
    if folder is None:
        print("the public data is not here: set KB_SHARED_DATA", file=sys.stderr)
        return 2
    embedder = CachedEmbedder(Embedder(), chosen.cache)
    for name in ("faquad", "leis_pt"):
        if chosen.only not in (None, name):
            continue
        with Bench(corpora.passages(folder, name), embedder) as bench:
            answerable = [case for case in corpora.cases(folder, name) if case.gold]
            places, _found, ms = ranks(bench, answerable)
            print(f"{name}: {ms:.1f} ms a question")
            for natural in (False, True):
                part = [p for p, case in zip(places, answerable, strict=True) if case.natural is natural]
                if part:
                    kind = name if name == "faquad" else f"{name} {'natural' if natural else 'exam'}"
                    print(f"{kind}: recall {recall(part)}")
    if chosen.only in (None, "refusals"):
        gone = corpora.withheld(folder)
        with Bench(corpora.passages(folder, "faquad", gone), embedder) as bench:
            kept = [case for case in corpora.cases(folder, "faquad") if not case.gold & gone]
            right = samples(ranks(bench, kept)[1], answerable=True)
            wrong = samples(ranks(bench, corpora.cases(folder, "faquad-withheld"))[1], answerable=False)
            print(f"faquad refusals ({len(wrong)} of {len(wrong) + len(right)}):")
            print(refusals(right, wrong))
            print(f"fit on all: {abstain.fit([*right, *wrong], 'default-1').thresholds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
