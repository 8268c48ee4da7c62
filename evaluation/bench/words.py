"""Text that is searched like Portuguese: real words by their frequency, and a long tail of made-up ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

_WORD = re.compile(r"[^\W\d_]{2,}")
_ONSETS = (
    "b", "br", "c", "ch", "cl", "d", "f", "fr", "g", "gr", "j", "l", "lh", "m", "n", "p", "pr", "qu", "r", "s",
    "t", "tr", "v", "z",
)  # fmt: skip
_VOWELS = ("a", "e", "i", "o", "u", "ã", "é", "ei", "ou")
_ENDINGS = ("ção", "mento", "dade", "ar", "ado", "eiro", "agem", "ista", "ável", "or", "ura", "inho", "oso", "o", "a")
ZIPF_SHIFT = 2.7
"""Mandelbrot's correction: the few first words of a language are less frequent than 1/rank says."""
OWN_SHARE = 0.3
"""How much of a text is in the words of its subject."""
SUBJECT_WORDS = 60


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`words`, the most frequent first, with the probability of each and the sum of them so far.

    The first `real` of them were read somewhere.
    """

    words: tuple[str, ...]
    weights: NDArray[np.float64]
    cumulative: NDArray[np.float64]
    real: int


@dataclass(frozen=True, slots=True)
class Subject:
    """What a document is about: rows of the vocabulary that it repeats."""

    rows: NDArray[np.int64]


def vocabulary(texts: Sequence[str], size: int, random: Generator) -> Vocabulary:
    """The words of `texts` by frequency, with made-up ones after them until there are `size`."""
    counts = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    words = [word for word, _count in counts.most_common(size)]
    real, known = len(words), set(words)
    while len(words) < size:
        word = _made_up(random)
        if word not in known:
            known.add(word)
            words.append(word)
    weights: NDArray[np.float64] = 1.0 / (np.arange(len(words), dtype=np.float64) + 1 + ZIPF_SHIFT)
    weights = weights / weights.sum()
    return Vocabulary(tuple(words), weights, np.cumsum(weights), real)


def subject(of: Vocabulary, random: Generator) -> Subject:
    """A subject speaks in words of the middle and the tail, as policies do: "empilhadeira", not "para"."""
    first = min(200, len(of.words) // 4)
    weights = of.weights[first:] / of.weights[first:].sum()
    return Subject(first + random.choice(len(weights), size=SUBJECT_WORDS, p=weights))


def sentences(of: Vocabulary, about: Subject, count: int, random: Generator) -> list[str]:
    """`count` sentences of 6 to 28 words; one in three holds a number."""
    lengths = random.integers(6, 29, count)
    rows = np.minimum(np.searchsorted(of.cumulative, random.random(lengths.sum())), len(of.words) - 1)
    own = random.random(len(rows)) < OWN_SHARE
    rows[own] = random.choice(about.rows, size=int(own.sum()))
    numbers, places = random.integers(2, 5000, count), random.integers(1, lengths)
    numbered = random.random(count) < 1 / 3
    made, start = [], 0
    for row, length in enumerate(lengths):
        words = [of.words[place] for place in rows[start : start + length]]
        if numbered[row]:
            words.insert(int(places[row]), str(numbers[row]))
        made.append(" ".join(words).capitalize() + ".")
        start += length
    return made


def _made_up(random: Generator) -> str:
    syllables = [
        _ONSETS[random.integers(len(_ONSETS))] + _VOWELS[random.integers(len(_VOWELS))]
        for _ in range(random.integers(1, 4))
    ]
    return "".join(syllables) + _ENDINGS[random.integers(len(_ENDINGS))]
