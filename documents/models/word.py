"""The vocabulary: one vector for each word, by model, so that a near-synonym can be told from another word."""

from __future__ import annotations

from django.db import models


class WordVector(models.Model):
    """`vector` is float16, (dimensions,), of the word alone, unit length."""

    fingerprint = models.CharField(max_length=100)
    word = models.CharField(max_length=100)
    vector = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["fingerprint", "word"], name="documents_wordvector_once")]

    def __str__(self) -> str:
        return self.word
