"""How many of the true nearest passages a filtered vector search finds, at three shares of what may be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from chat.candidates import LISTED
from documents.batches import in_parts
from documents.embedders.base import Vectors
from documents.models import Embedding
from documents.rules.types import Corpus
from documents.search import active
from documents.search.base import Filter, Query, day
from documents.search.entries import filter_fields, indexable

SHARES = (0.01, 0.1, 0.9)
NEAREST = 10
QUESTIONS = 50
_BATCH = 5000


@dataclass(frozen=True, slots=True)
class Recall:
    """Of the ten nearest official passages that pass the filter, how many the engine lists among its first ten.

    `eligible` is the share of official passages that passes, as near to `wanted` as whole audiences come.
    """

    wanted: float
    eligible: float
    recall: float


@dataclass(frozen=True, slots=True)
class _Truth:
    """Every official passage that is in force: `ids`, `audiences` (a number each) and how it lies to each question."""

    ids: NDArray[np.int64]
    audiences: NDArray[np.int64]
    names: tuple[str, ...]
    cosines: NDArray[np.float32]


def measure(questions: Sequence[str], today: date) -> list[Recall]:
    asked = questions[:QUESTIONS]
    embedder = active.embedder()
    vectors = np.stack([embedder.query(text) for text in asked])
    truth = _truth(vectors, today)
    return [_recall(share, truth, asked, vectors, today) for share in SHARES]


def _recall(share: float, truth: _Truth, asked: Sequence[str], vectors: Vectors, today: date) -> Recall:
    keys = _audiences(truth, share)
    eligible = np.isin(truth.audiences, keys)
    ids, cosines = truth.ids[eligible], truth.cosines[eligible]
    names = frozenset(truth.names[key] for key in keys)
    filter_ = Filter(names, today, today, reads_history=False, corpus=Corpus.OFFICIAL)
    version = active.version()
    assert version is not None  # the benchmark has just built it
    found = 0.0
    for number, text in enumerate(asked):
        (lists,) = active.engine().search(version.pk, Query(text, vectors[number]), [filter_], LISTED)
        first = [hit.chunk_id for hit in lists.vector[:NEAREST]]
        own = cosines[:, number]
        # A tie at the cut counts as found: numbers are of half precision.
        worst = np.partition(own, -NEAREST)[-NEAREST] if len(own) > NEAREST else own.min()
        near = ids[own >= worst - 1e-4]
        found += min(1.0, np.isin(first, near).sum() / min(NEAREST, len(own)))
    return Recall(share, float(eligible.mean()), found / len(asked))


def _audiences(truth: _Truth, share: float) -> list[int]:
    """Audiences whose passages are about that share of all: the smallest that come to it, or all but those."""
    counts = np.bincount(truth.audiences, minlength=len(truth.names))
    wanted = min(share, 1 - share) * len(truth.ids)
    few: list[int] = []
    held = 0
    for key in np.argsort(counts, kind="stable"):
        if few and abs(held + counts[key] - wanted) > abs(held - wanted):
            break
        few.append(int(key))
        held += int(counts[key])
    return few if share <= 1 / 2 else [key for key in range(len(counts)) if key not in few]


def _truth(vectors: Vectors, today: date) -> _Truth:
    now, names = day(today), dict[str, int]()
    audience: dict[int, int] = {}
    for revision in indexable().iterator(_BATCH):
        _pk, key, start, until, _standing, owned, corpus, _area = filter_fields(revision)
        if owned and start <= now < until and corpus == Corpus.OFFICIAL:
            audience[revision.pk] = names.setdefault(key, len(names))
    ids, keys, cosines = [], [], []
    for part in _rows(audience):
        ids += [chunk for chunk, _revision, _vector in part]
        keys += [audience[revision] for _chunk, revision, _vector in part]
        cosines.append(np.stack([vector for _chunk, _revision, vector in part]) @ vectors.T)
    return _Truth(np.array(ids), np.array(keys), tuple(names), np.concatenate(cosines))


def _rows(revisions: dict[int, int]) -> Iterator[list[tuple[int, int, Vectors]]]:
    rows = Embedding.objects.filter(fingerprint=active.embedder().fingerprint).order_by()
    found = rows.values_list("chunk_id", "chunk__revision_id", "vector").iterator(_BATCH)
    return in_parts((row for row in found if row[1] in revisions), _BATCH)
