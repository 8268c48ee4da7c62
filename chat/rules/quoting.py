"""Which sentences answer a question, and what each needs beside it to be whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chat.rules.answer_types import AnswerType, gives
from documents.rules.passage import Passage

CLOSENESS_WORTH = 0.06
"""What a sentence gains that is nearer to the question by one standard deviation of the candidates' best ones."""
USUAL_SPREAD = 0.025
"""That deviation for e5, where too few sentences are at hand to measure it."""
TYPE_GAIN = 0.10
TYPE_LOSS = 0.05
STANDING_WORTH = 0.25

READ = 5
"""How many passages are quoted from, best first."""
LONGEST_QUOTE = 700
"""Characters up to which a list, or a question with its answer, is quoted as one piece."""

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One sentence with its score: `passage` is the index of its passage, `sentence` its number in it."""

    passage: int
    sentence: int
    score: float


def weigh(
    kind: AnswerType | None,
    sentences: Sequence[tuple[int, int, str]],
    covered: Sequence[float] | NDArray[np.float32],
    cosines: Sequence[float] | NDArray[np.float32],
    spread: float = USUAL_SPREAD,
) -> list[Weighed]:
    """Sentences `(passage, number, text)` with their coverage (heading included) and cosine, best first.

    `spread` is the standard deviation of the cosines of what was found, not of these few sentences. So a score depends
    on its own sentence alone: another sentence in the passage changes none. Ties by place.
    """
    weighed = []
    for (passage, number, text), share, cosine in zip(sentences, covered, cosines, strict=True):
        score = float(share) + CLOSENESS_WORTH * float(cosine) / spread + STANDING_WORTH / (1 + passage)
        if kind is not None:
            score += TYPE_GAIN if gives(kind, text) else -TYPE_LOSS
        weighed.append(Weighed(passage, number, score))
    return sorted(weighed, key=lambda one: (-round(one.score, 5), one.passage, one.sentence))


def whole(
    passage: Passage, number: int, kind: AnswerType | None, barred: frozenset[int] = frozenset()
) -> tuple[int, int]:
    """The span in `passage.text` that says what sentence `number` says, complete and in its own words.

    A list item brings its stem and what stands between, a stem its items, a question its answer; all only up to
    `LONGEST_QUOTE` characters. No `barred` sentence gets inside.
    """
    spans = passage.sentences
    for wanted in (*_companies(passage, number, kind), range(number, number + 1)):
        fitting = _fitting(spans, wanted, barred)
        if number in fitting:
            return spans[fitting[0]][0], spans[fitting[-1]][1]
    return spans[number]


def _companies(passage: Passage, number: int, kind: AnswerType | None) -> list[range]:
    """The runs of sentences that would make this one whole, best first; `_fitting` may shorten one at its end."""
    spans = passage.sentences
    stems = passage.stems or (None,) * len(spans)
    text = passage.text[slice(*spans[number])]
    stem = stems[number]
    if stem is not None and stem in spans:
        first = spans.index(stem)
        own = range(first, number + 1)
        items = [n for n, one in enumerate(stems) if one == stem]
        return [range(first, items[-1] + 1), own] if kind is AnswerType.HOW else [own]
    items = [n for n, one in enumerate(stems) if one == spans[number]]
    if items:
        return [range(number, items[-1] + 1)]
    if text.endswith("?"):
        following = range(number + 1, len(spans))
        end = next((n for n in following if passage.text[slice(*spans[n])].endswith("?")), len(spans))
        return [range(number, end)]
    return []


def _fitting(spans: Spans, wanted: range, barred: frozenset[int]) -> range:
    """As many of the sentences, from the first on, as fit into one quote with none barred."""
    last = wanted[0]
    while last + 1 in wanted and last + 1 not in barred and spans[last + 1][1] - spans[wanted[0]][0] <= LONGEST_QUOTE:
        last += 1
    return range(0) if wanted[0] in barred else range(wanted[0], last + 1)
