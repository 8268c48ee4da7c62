"""Embeddings by need: a text that was embedded once under a model is read from the cache, whoever asks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from pgvector import HalfVector

from documents.embedders.base import Embedder, Vectors
from documents.models import Chunk, Embedding, VectorCache
from documents.search.words import ensure_words, vocabulary

CONFIGURATION = "heading-text-1"
BATCH = 64

Progress = Callable[[int, int], None]


def passage_input(chunk: Chunk) -> str:
    return f"{chunk.heading}\n{chunk.text}"


def sentence_inputs(chunk: Chunk) -> list[str]:
    """Sentences carry their heading: without it a terse one says nothing of its subject."""
    offset = chunk.start
    return [f"{chunk.heading}: {chunk.text[start - offset : end - offset]}" for start, end in chunk.sentences]


def ensure_embeddings(chunks: Sequence[Chunk], embedder: Embedder, progress: Progress | None = None) -> None:
    """Give every chunk its `Embedding` under this model; only texts that the cache lacks reach the model."""
    fingerprint = embedder.fingerprint
    have = {
        (row.chunk_id, row.input_hash)
        for row in Embedding.objects.filter(chunk__in=chunks, fingerprint=fingerprint).only("chunk_id", "input_hash")
    }
    inputs = {chunk.pk: [passage_input(chunk), *sentence_inputs(chunk)] for chunk in chunks}
    missing = [chunk for chunk in chunks if (chunk.pk, _input_hash(inputs[chunk.pk])) not in have]
    if not missing:
        return
    ensure_words(vocabulary(missing), embedder)
    cached_passages(
        [text for chunk in missing for text in inputs[chunk.pk]], embedder, progress=progress, want=False
    )
    for first in range(0, len(missing), BATCH):
        batch = missing[first : first + BATCH]
        vectors = cached_passages([text for chunk in batch for text in inputs[chunk.pk]], embedder)
        rows, at = [], 0
        for chunk in batch:
            size = len(inputs[chunk.pk])
            own, at = vectors[at : at + size], at + size
            rows.append(
                Embedding(
                    chunk=chunk,
                    fingerprint=fingerprint,
                    configuration=CONFIGURATION,
                    input_hash=_input_hash(inputs[chunk.pk]),
                    vector=HalfVector(own[0]),
                    sentence_vectors=own[1:].astype(np.float16).tobytes(),
                )
            )
        Embedding.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["chunk", "fingerprint"],
            update_fields=["configuration", "input_hash", "vector", "sentence_vectors"],
        )


def cached_passages(
    texts: Sequence[str], embedder: Embedder, *, progress: Progress | None = None, want: bool = True
) -> Vectors:
    """Passage vectors, (len(texts), dimensions). With `want=False` only the cache is filled and the result is empty."""
    fingerprint = embedder.fingerprint
    keys = [_key(fingerprint, text) for text in texts]
    known = set(VectorCache.objects.filter(pk__in=set(keys)).values_list("pk", flat=True)) if keys else set()
    fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in {bytes(k) for k in known}}
    order = sorted(fresh, key=lambda key: len(fresh[key]))
    for first in range(0, len(order), BATCH):
        part = order[first : first + BATCH]
        made = embedder.passages([fresh[key] for key in part]).astype(np.float16)
        VectorCache.objects.bulk_create(
            [VectorCache(key=key, vector=vector.tobytes()) for key, vector in zip(part, made, strict=True)],
            ignore_conflicts=True,
        )
        if progress is not None:
            progress(min(first + BATCH, len(order)), len(order))
    if not want:
        return np.empty((0, embedder.dimensions), dtype=np.float32)
    stored = {
        bytes(key): bytes(vector)
        for key, vector in VectorCache.objects.filter(pk__in=set(keys)).values_list("pk", "vector")
    }
    rows = np.empty((len(keys), embedder.dimensions), dtype=np.float32)
    for number, key in enumerate(keys):
        rows[number] = np.frombuffer(stored[key], dtype=np.float16)
    return rows


def _key(fingerprint: str, text: str) -> bytes:
    return hashlib.sha256(f"{fingerprint}\0{text}".encode()).digest()


def _input_hash(texts: Sequence[str]) -> str:
    digest = hashlib.sha256(CONFIGURATION.encode())
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()
