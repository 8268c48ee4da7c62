"""The kept vectors spare the model its work, and are of no use to another model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from documents.embedders.base import Vectors
from documents.embedders.hashing import Embedder
from documents.models import Chunk, Embedding, VectorCache, WordVector
from documents.search.vectors import ensure_embeddings
from evaluation.demo import vectors
from kbportal.backends import get_backend
from tests.evaluation.world import build

pytestmark = pytest.mark.django_db


class Tired(Embedder):
    """The same model, which may not be asked any more."""

    def passages(self, texts: object) -> Vectors:
        raise AssertionError("asked the model again")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of the vectors of a small portal, whose own are gone."""
    build()
    path = tmp_path / "vectors.npz"
    made = vectors.keep(get_backend("embedder"), path)
    assert made == VectorCache.objects.count() + WordVector.objects.count() > 0
    for model in (VectorCache, WordVector, Embedding):
        model.objects.all().delete()
    return path


def test_what_was_kept_is_not_made_again(kept: Path):
    embedder = Tired()
    assert vectors.offer(embedder, kept) == VectorCache.objects.count() + WordVector.objects.count()
    ensure_embeddings(list(Chunk.objects.values_list("pk", flat=True)), embedder)
    chunk = Chunk.objects.earliest("pk")
    [made] = Embedding.objects.filter(chunk=chunk)
    wanted = Embedder().passages([f"{chunk.heading}\n{chunk.text}"])[0]
    np.testing.assert_allclose(np.asarray(made.vector, dtype=np.float32), wanted, atol=2e-3)


def test_another_model_gets_nothing(kept: Path):
    assert vectors.offer(Embedder(dimensions=64), kept) == 0
    assert not VectorCache.objects.exists()


def test_without_the_file_everything_is_made_as_always(tmp_path: Path):
    assert vectors.offer(Embedder(), tmp_path / "none.npz") == 0
