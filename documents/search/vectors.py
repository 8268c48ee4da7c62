"""Embeddings by need: a text that was embedded once under a model is read from the cache, whoever asks."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef

from documents.batches import in_parts
from documents.embedders.base import Embedder, Vectors
from documents.models import Chunk, Embedding, VectorCache
from documents.rules.instructions import addresses_assistant, searchable
from documents.search.words import ensure_words, vocabulary

CONFIGURATION = "heading-text-2"
BATCH = 64
"""Texts that the model gets at a time."""
LOOKED_UP = 5000
CHUNKS = 256
"""Chunks whose vectors are written at a time: what an interruption loses."""


def searchable_text(chunk: Chunk) -> str:
    """What the chunk is found by: its text without sentences that speak to the assistant."""
    return searchable(chunk.text, _sentences(chunk))


def passage_input(chunk: Chunk) -> str:
    return f"{chunk.heading}\n{searchable_text(chunk)}"


def sentence_inputs(chunk: Chunk) -> list[str]:
    """Sentences carry their heading: without it a terse one says nothing of its subject."""
    texts = [chunk.text[start:end] for start, end in _sentences(chunk)]
    return [f"{chunk.heading}: {'' if addresses_assistant(text) else text}" for text in texts]


def _inputs(chunk: Chunk) -> list[str]:
    return [passage_input(chunk), *sentence_inputs(chunk)]


def _sentences(chunk: Chunk) -> list[tuple[int, int]]:
    return [(start - chunk.start, end - chunk.start) for start, end in chunk.sentences]


def warm(chunks: Sequence[Chunk], embedder: Embedder) -> None:
    """Have the model read what these chunks, rows or not yet, need of it: their vectors can then be had at once.

    Only texts and words that were never read under this model reach it.
    """
    for part in in_parts(chunks, CHUNKS):
        ensure_words(vocabulary(part), embedder)
        _make({text for chunk in part for text in _inputs(chunk)}, embedder)


def ensure_embeddings(chunk_ids: Sequence[int], embedder: Embedder) -> None:
    """Give each of these chunks its `Embedding` under this model; only texts that the cache lacks reach the model."""
    todo = [pk for part in in_parts(chunk_ids, LOOKED_UP) for pk in unembedded(part, embedder.fingerprint)]
    for part in in_parts(todo, CHUNKS):
        chunks = list(Chunk.objects.filter(pk__in=part).order_by("pk"))
        ensure_words(vocabulary(chunks), embedder)
        _embed(chunks, embedder)


def unembedded(chunk_ids: Sequence[int], fingerprint: str) -> list[int]:
    """Those of the chunks without a vector under this model, put together as we do today."""
    made = Embedding.objects.filter(chunk=OuterRef("pk"), fingerprint=fingerprint, configuration=CONFIGURATION)
    rows = Chunk.objects.filter(pk__in=chunk_ids).exclude(Exists(made))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _embed(chunks: Sequence[Chunk], embedder: Embedder) -> None:
    inputs = [_inputs(chunk) for chunk in chunks]
    vectors = cached_passages([text for texts in inputs for text in texts], embedder)
    rows, at = [], 0
    for chunk, texts in zip(chunks, inputs, strict=True):
        own, at = vectors[at : at + len(texts)], at + len(texts)
        rows.append(
            Embedding(
                chunk=chunk,
                fingerprint=embedder.fingerprint,
                configuration=CONFIGURATION,
                input_hash=_input_hash(texts),
                vector=own[0],
                sentence_vectors=own[1:].astype(np.float16).tobytes(),
            )
        )
    with transaction.atomic():
        # A chunk may have been cut again while the model was thinking: whoever did that embeds the new ones.
        ids = [chunk.pk for chunk in chunks]
        alive = set(Chunk.objects.select_for_update(no_key=True).filter(pk__in=ids).values_list("pk", flat=True))
        Embedding.objects.bulk_create(
            [row for row in rows if row.chunk_id in alive],
            update_conflicts=True,
            unique_fields=["chunk", "fingerprint"],
            update_fields=["configuration", "input_hash", "vector", "sentence_vectors"],
        )


def cached_passages(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """Passage vectors, (len(texts), dimensions). Those that were made before are read, the others made and kept."""
    keys = [cache_key(embedder.fingerprint, text) for text in texts]
    stored = _stored(keys)
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in stored}
    stored.update(_make(missing.values(), embedder))
    stored.update(_stored([key for key in missing if key not in stored]))  # another process was faster
    rows = np.empty((len(keys), embedder.dimensions), dtype=np.float32)
    for number, key in enumerate(keys):
        rows[number] = np.frombuffer(stored[key], dtype=np.float16)
    return rows


def _make(texts: Collection[str], embedder: Embedder) -> dict[bytes, bytes]:
    """Embed and keep those of the texts that the cache lacks; returns them by key."""
    wanted = {cache_key(embedder.fingerprint, text): text for text in texts}
    for part in in_parts(list(wanted), LOOKED_UP):
        for key in VectorCache.objects.filter(pk__in=part).values_list("pk", flat=True):
            wanted.pop(bytes(key), None)
    made: dict[bytes, bytes] = {}
    # Texts of like length go together, so that none waits for the padding of a long one.
    for part in in_parts(sorted(wanted, key=lambda key: len(wanted[key])), BATCH):
        vectors = embedder.passages([wanted[key] for key in part]).astype(np.float16)
        fresh = dict(zip(part, (vector.tobytes() for vector in vectors), strict=True))
        VectorCache.objects.bulk_create(
            [VectorCache(key=key, vector=vector) for key, vector in fresh.items()], ignore_conflicts=True
        )
        made.update(fresh)
    return made


def _stored(keys: Sequence[bytes]) -> dict[bytes, bytes]:
    rows = VectorCache.objects.filter(pk__in=set(keys)).values_list("pk", "vector") if keys else []
    return {bytes(key): bytes(vector) for key, vector in rows}


def cache_key(fingerprint: str, text: str) -> bytes:
    """What a text's vector under this model is kept by."""
    return hashlib.sha256(f"{fingerprint}\0{text}".encode()).digest()


def _input_hash(texts: Sequence[str]) -> str:
    digest = hashlib.sha256(CONFIGURATION.encode())
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()
