"""Word vectors: kept in a table by the worker, read by whoever ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from documents.batches import in_parts
from documents.embedders.base import Embedder, Vectors
from documents.models import Chunk, WordVector
from documents.rules.stopwords import COMMON
from documents.rules.terms import analyse
from documents.search import binary

LONGEST = 100
BATCH = 256
"""Words that the model gets at a time."""
LOOKED_UP = 5000


def vocabulary(chunks: Iterable[Chunk]) -> set[str]:
    """The distinct words of chunks with their headings, in their own spelling, no numbers; and the common words."""
    texts = {text for chunk in chunks for text in (chunk.heading, chunk.text)}
    words = {t.surface for text in texts for t in analyse(text).tokens if not t.number and len(t.surface) <= LONGEST}
    return words.union(COMMON)


def ensure_words(words: Iterable[str], embedder: Embedder) -> None:
    """Give every word its vector under this model; only new words reach the model."""
    wanted, fingerprint = sorted(set(words)), embedder.fingerprint
    known: set[str] = set()
    for part in in_parts(wanted, LOOKED_UP):
        held = "SELECT word FROM documents_wordvector WHERE fingerprint = %b AND word = ANY(%b::text[])"
        known.update(word for (word,) in binary.select(held, [fingerprint, part]))
    fresh = [word for word in wanted if word not in known]
    for part in in_parts(fresh, BATCH):
        vectors = embedder.passages(part).astype(np.float16)
        columns = {"fingerprint": "text", "word": "text", "vector": "bytea"}
        rows = ((fingerprint, word, vector.tobytes()) for word, vector in zip(part, vectors, strict=True))
        binary.insert_new("documents_wordvector", columns, rows)


class StoredWords:
    """`chat.rerankers.words.WordVectors` over the table. A word that nobody wrote is embedded when it is first met."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def vectors(self, words: Sequence[str]) -> Vectors:
        rows = np.empty((len(words), self._embedder.dimensions), dtype=np.float32)
        table = WordVector.objects.filter(fingerprint=self._embedder.fingerprint, word__in=words)
        stored = {word: np.frombuffer(bytes(v), dtype=np.float16) for word, v in table.values_list("word", "vector")}
        unknown = [number for number, word in enumerate(words) if word not in stored]
        if unknown:
            rows[unknown] = self._embedder.passages([words[number] for number in unknown])
        for number, word in enumerate(words):
            if word in stored:
                rows[number] = stored[word]
        return rows

    def mean(self) -> Vectors:
        """Of the language's common words: the same in every portal, so that thresholds can be carried."""
        mean: Vectors = self.vectors(COMMON).mean(axis=0)
        return mean
