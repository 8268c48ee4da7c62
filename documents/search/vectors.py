"""Embeddings by need: a text that was embedded once under a model is read from the cache, whoever asks."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from documents.batches import in_parts
from documents.embedders.base import Embedder, Vectors
from documents.models import Chunk, Embedding
from documents.models.vector import as_sent
from documents.rules.instructions import addresses_assistant, searchable
from documents.search import binary
from documents.search.words import ensure_words, vocabulary

CONFIGURATION = "heading-text-2"
BATCH = 64
"""Texts that the model gets at a time."""
LOOKED_UP = 5000
CHUNKS = 256
"""Chunks whose vectors are written at a time: what an interruption loses."""
IN_HAND = 20_000
"""Vectors that are kept from when they are made until they are written: some 15 MB."""
EMBEDDING = {
    "chunk_id": "int8",
    "fingerprint": "text",
    "configuration": "text",
    "input_hash": "text",
    "vector": "bytea",
    "sentence_vectors": "bytea",
    "created_at": "timestamptz",
}
"""The columns of a row of `Embedding`, as they are sent."""


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


@dataclass(frozen=True, slots=True)
class Warm:
    """What was read under the model a moment ago: chunks, rows by now or not yet, and vectors of their texts by key.

    Of very many texts only the first vectors are in hand; the others are read from the cache again.
    """

    chunks: Sequence[Chunk] = ()
    vectors: dict[bytes, bytes] = field(default_factory=dict)


def warm(chunks: Sequence[Chunk], embedder: Embedder) -> Warm:
    """Have the model read what these chunks, rows or not yet, need of it: their vectors can then be had at once.

    Only texts and words that were never read under this model reach it.
    """
    vectors: dict[bytes, bytes] = {}
    for part in in_parts(chunks, CHUNKS):
        ensure_words(vocabulary(part), embedder)
        made = _make({text for chunk in part for text in _inputs(chunk)}, embedder)
        if len(vectors) + len(made) <= IN_HAND:
            vectors |= made
    return Warm(chunks, vectors)


def ensure_embeddings(chunk_ids: Sequence[int], embedder: Embedder, warmed: Warm | None = None) -> None:
    """Give each of these chunks its `Embedding` under this model; only texts that the cache lacks reach the model."""
    warmed = warmed or Warm()
    read = {chunk.pk: chunk for chunk in warmed.chunks if chunk.pk is not None}
    todo = [pk for part in in_parts(chunk_ids, LOOKED_UP) for pk in unembedded(part, embedder.fingerprint)]
    for part in in_parts(todo, CHUNKS):
        others = list(Chunk.objects.filter(pk__in=[pk for pk in part if pk not in read]))
        if others:
            ensure_words(vocabulary(others), embedder)
        chunks = [*(read[pk] for pk in part if pk in read), *others]
        _embed(sorted(chunks, key=lambda chunk: chunk.pk), embedder, warmed.vectors)


def unembedded(chunk_ids: Sequence[int], fingerprint: str) -> list[int]:
    """Those of the chunks without a vector under this model, put together as we do today."""
    made = Embedding.objects.filter(chunk=OuterRef("pk"), fingerprint=fingerprint, configuration=CONFIGURATION)
    rows = Chunk.objects.filter(pk__in=chunk_ids).exclude(Exists(made))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _embed(chunks: Sequence[Chunk], embedder: Embedder, in_hand: Mapping[bytes, bytes]) -> None:
    inputs = [_inputs(chunk) for chunk in chunks]
    vectors = cached_passages([text for texts in inputs for text in texts], embedder, in_hand)
    rows, at, now = [], 0, timezone.now()
    for chunk, texts in zip(chunks, inputs, strict=True):
        own, at = vectors[at : at + len(texts)], at + len(texts)
        sentences = own[1:].astype(np.float16).tobytes()
        rows.append(
            (chunk.pk, embedder.fingerprint, CONFIGURATION, _input_hash(texts), as_sent(own[0]), sentences, now)
        )
    with transaction.atomic():
        # A chunk may have been cut again while the model was thinking: whoever did that embeds the new ones.
        ids = [chunk.pk for chunk in chunks]
        locked = Chunk.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
        alive = set(locked.values_list("pk", flat=True))
        Embedding.objects.filter(chunk__in=alive, fingerprint=embedder.fingerprint).delete()
        binary.copy("documents_embedding", EMBEDDING, [row for row in rows if row[0] in alive])


def cached_passages(texts: Sequence[str], embedder: Embedder, in_hand: Mapping[bytes, bytes] | None = None) -> Vectors:
    """Passage vectors, (len(texts), dimensions). Those that were made before are read, the others made and kept."""
    keys = [cache_key(embedder.fingerprint, text) for text in texts]
    stored = {key: in_hand[key] for key in keys if key in in_hand} if in_hand else {}
    stored.update(_stored([key for key in keys if key not in stored]))
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
        for (key,) in binary.select("SELECT key FROM documents_vectorcache WHERE key = ANY(%b::bytea[])", [part]):
            wanted.pop(key, None)
    made: dict[bytes, bytes] = {}
    # Texts of like length go together, so that none waits for the padding of a long one. And everybody keeps what is
    # new in one order, so that no two processes each wait for a key that the other has written.
    for part in in_parts(sorted(wanted, key=lambda key: (len(wanted[key]), key)), BATCH):
        vectors = embedder.passages([wanted[key] for key in part]).astype(np.float16)
        fresh = dict(zip(part, (vector.tobytes() for vector in vectors), strict=True))
        binary.insert_new("documents_vectorcache", {"key": "bytea", "vector": "bytea"}, fresh.items())
        made.update(fresh)
    return made


def _stored(keys: Sequence[bytes]) -> dict[bytes, bytes]:
    wanted = "SELECT key, vector FROM documents_vectorcache WHERE key = ANY(%b::bytea[])"
    return dict(binary.select(wanted, [list(dict.fromkeys(keys))])) if keys else {}


def cache_key(fingerprint: str, text: str) -> bytes:
    """What a text's vector under this model is kept by."""
    return hashlib.sha256(f"{fingerprint}\0{text}".encode()).digest()


def _input_hash(texts: Sequence[str]) -> str:
    digest = hashlib.sha256(CONFIGURATION.encode())
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()
