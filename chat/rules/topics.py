"""Questions that ask about the same thing, put together by the words that they share.

The rule: a question is the set of its content stems and codes. Two questions are as similar as the share of words that
they have in common (Dice). Groups are merged, most similar pair first, while the mean similarity between their
questions is at least `ALIKE`. No vector is kept of a question, so none is used; no word of the asker's name is in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from documents.rules.terms import analyse_question, fold

ALIKE = 0.5
MOST = 300
"""Different wordings that are compared; the rarest beyond that stay groups of their own."""

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Topic:
    """`name` is the question that is most like the others; `members` are positions in the list that was given."""

    name: str
    members: tuple[int, ...]


def topics(questions: Sequence[str]) -> list[Topic]:
    """Groups of similar questions, largest first, then in the order in which they were first asked."""
    wordings: dict[frozenset[str], list[int]] = {}
    for place, question in enumerate(questions):
        wordings.setdefault(_words(question), []).append(place)
    held = sorted(wordings.items(), key=lambda item: (-len(item[1]), item[1][0]))
    compared, rest = held[:MOST], held[MOST:]
    likeness = _likeness([words for words, _places in compared])
    weights = np.array([len(places) for _words, places in compared], dtype=np.float64)
    found = [_topic(questions, compared, group, likeness) for group in _groups(likeness, weights)]
    found += [Topic(questions[places[0]], tuple(places)) for _words, places in rest]
    return sorted(found, key=lambda topic: (-len(topic.members), topic.members[0]))


def _words(question: str) -> frozenset[str]:
    terms = analyse_question(question)
    words = frozenset((*terms.stems, *terms.codes))
    return words or frozenset(fold(question).split())


def _likeness(wordings: Sequence[frozenset[str]]) -> Matrix:
    """(n, n), 1 on the diagonal."""
    number = len(wordings)
    likeness: Matrix = np.eye(number)
    for i, one in enumerate(wordings):
        for j in range(i + 1, number):
            both = len(one) + len(wordings[j])
            likeness[i, j] = likeness[j, i] = 2 * len(one & wordings[j]) / both if both else 0.0
    return likeness


def _groups(likeness: Matrix, weights: Matrix) -> list[list[int]]:
    """Average linkage over weighted wordings, until no two groups are alike enough."""
    groups = [[i] for i in range(len(likeness))]
    between, weight = likeness.copy(), weights.copy()
    np.fill_diagonal(between, -1.0)
    while len(groups) > 1:
        i, j = sorted(divmod(int(between.argmax()), len(groups)))
        if between[i, j] < ALIKE:
            break
        merged = (between[i] * weight[i] + between[j] * weight[j]) / (weight[i] + weight[j])
        between[i] = between[:, i] = merged
        between[i, i] = -1.0
        weight[i] += weight[j]
        groups[i] += groups.pop(j)
        between = np.delete(np.delete(between, j, axis=0), j, axis=1)
        weight = np.delete(weight, j)
    return groups


def _topic(
    questions: Sequence[str], compared: Sequence[tuple[frozenset[str], list[int]]], group: list[int], likeness: Matrix
) -> Topic:
    weights = np.array([len(compared[i][1]) for i in group], dtype=np.float64)
    middle = group[int((likeness[np.ix_(group, group)] @ weights).argmax())]
    members = sorted(place for i in group for place in compared[i][1])
    return Topic(questions[compared[middle][1][0]], tuple(members))
