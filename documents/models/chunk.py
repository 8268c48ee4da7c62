"""Passages and what is derived from them. A chunk is text with a place; an embedding is never the chunk."""

from __future__ import annotations

from django.db import models

from documents.models.revision import Revision, Section
from documents.models.vector import VectorField


class Chunk(models.Model):
    """`revision.text[start:end]`, kept beside its span so that the link between the two can be checked.

    `policy` is the kind of text and the version of the cutting. While another version of the index is built, the cuts
    of both stand side by side. `terms` is what `documents.rules.text_terms` keeps of the text; where it is missing or
    of another version, it is worked out at each reading.
    """

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="chunks")
    section = models.ForeignKey(Section, models.CASCADE, related_name="chunks")
    ordinal = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True)
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    heading = models.TextField()
    sentences = models.JSONField(default=list)
    stems = models.JSONField(default=list)
    terms = models.JSONField(null=True)
    policy = models.CharField(max_length=40)

    class Meta:
        ordering = ["revision", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "policy", "ordinal"], name="documents_chunk_once_in_a_cut")
        ]

    def __str__(self) -> str:
        return f"{self.revision_id}:{self.start}-{self.end}"


class Embedding(models.Model):
    """The vectors of one chunk under one model: `vector` of heading and text, `sentence_vectors` of each sentence.

    `sentence_vectors` is float16, row-major, (len(chunk.sentences), dimensions). `configuration` names how the input
    was put together; `input_hash` is the hash of that input.
    """

    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="embeddings")
    fingerprint = models.CharField(max_length=100)
    configuration = models.CharField(max_length=40)
    input_hash = models.CharField(max_length=64)
    vector = VectorField()
    sentence_vectors = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chunk", "fingerprint"], name="documents_embedding_once"),
        ]

    def __str__(self) -> str:
        return f"{self.chunk_id} {self.fingerprint}"


class VectorCache(models.Model):
    """Vectors by the hash of model and text: what was embedded once is not embedded again. Can be emptied at will."""

    key = models.BinaryField(primary_key=True, max_length=32)
    vector = models.BinaryField()

    def __str__(self) -> str:
        return bytes(self.key).hex()
