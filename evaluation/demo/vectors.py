"""Vectors of the demo's passages and words, kept beside its sources: a first start need not wait for the model.

They are a copy of what the portal itself keeps, by model and text. With another model nothing of it is used; what
changed in the sources since is embedded as always.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from documents.batches import in_parts
from documents.embedders.base import Embedder
from documents.models import Chunk, VectorCache, WordVector
from documents.search.vectors import cache_key, passage_input, sentence_inputs
from documents.search.words import vocabulary

KEPT = Path(__file__).with_name("vectors.npz")
BATCH = 2000


def offer(embedder: Embedder, path: Path = KEPT) -> int:
    """Give this portal the kept vectors of this model; how many there are."""
    if not path.exists():
        return 0
    with np.load(path, allow_pickle=False) as kept:
        fingerprint = str(kept["fingerprint"])
        if fingerprint != embedder.fingerprint:
            return 0
        texts = list(zip(kept["keys"], kept["vectors"], strict=True))
        words = list(zip(kept["words"], kept["word_vectors"], strict=True))
    for part in in_parts(texts, BATCH):
        VectorCache.objects.bulk_create(
            [VectorCache(key=key.tobytes(), vector=vector.tobytes()) for key, vector in part], ignore_conflicts=True
        )
    for batch in in_parts(words, BATCH):
        WordVector.objects.bulk_create(
            [WordVector(fingerprint=fingerprint, word=str(word), vector=row.tobytes()) for word, row in batch],
            ignore_conflicts=True,
        )
    return len(texts) + len(words)


def keep(embedder: Embedder, path: Path = KEPT) -> int:
    """Write the vectors that this portal's passages use; how many. Meant for a portal with the demo alone."""
    chunks = list(Chunk.objects.order_by("pk"))
    inputs = {text for chunk in chunks for text in (passage_input(chunk), *sentence_inputs(chunk))}
    keys = sorted(cache_key(embedder.fingerprint, text) for text in inputs)
    texts = {
        bytes(key): bytes(vector)
        for part in in_parts(keys, BATCH)
        for key, vector in VectorCache.objects.filter(pk__in=part).values_list("pk", "vector")
    }
    table = WordVector.objects.filter(fingerprint=embedder.fingerprint, word__in=vocabulary(chunks)).order_by("pk")
    words = [(word, bytes(vector)) for word, vector in table.values_list("word", "vector")]
    np.savez_compressed(
        path,
        fingerprint=np.array(embedder.fingerprint),
        keys=np.frombuffer(b"".join(sorted(texts)), dtype=np.uint8).reshape(-1, 32),
        vectors=_halves([texts[key] for key in sorted(texts)], embedder.dimensions),
        words=np.array([word for word, _vector in words], dtype=np.str_),
        word_vectors=_halves([vector for _word, vector in words], embedder.dimensions),
    )
    return len(texts) + len(words)


def _halves(rows: list[bytes], dimensions: int) -> np.ndarray:
    return np.frombuffer(b"".join(rows), dtype=np.float16).reshape(-1, dimensions)
