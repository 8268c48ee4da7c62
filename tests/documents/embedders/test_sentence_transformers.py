"""The embedder for sentence-transformers models, on a tiny model made on disk and on a small real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents.embedders.base import EmbedderUnavailable
from documents.embedders.sentence_transformers import Embedder
from tests import models
from tests.documents.embedders.contract import TEXTS, EmbedderContract

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = sorted({word.lower() for text in TEXTS for word in text.split()})
    return models.tiny_embedder(tmp_path_factory.mktemp("model"), words)


@pytest.fixture(scope="module")
def tiny(folder: Path) -> Embedder:
    return Embedder(str(folder))


@pytest.fixture(scope="module")
def real() -> Embedder:
    return Embedder(str(models.mini_lm()))


class TestTiny(EmbedderContract):
    @pytest.fixture
    def embedder(self, tiny: Embedder) -> Embedder:
        return tiny

    def test_e5_models_get_their_prefixes(self, folder: Path, embedder: Embedder) -> None:
        bare = Embedder(str(folder), query_prefix="", passage_prefix="")
        assert abs(float(embedder.query("prazo") @ bare.query("query: prazo")) - 1) < 1e-4
        assert abs(float(embedder.passages(["prazo"])[0] @ bare.passages(["passage: prazo"])[0]) - 1) < 1e-4
        assert embedder.fingerprint != bare.fingerprint

    def test_a_model_that_is_not_there_says_so(self, folder: Path) -> None:
        with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
            Embedder(str(folder.parent / "nowhere")).query("prazo")


class TestReal(EmbedderContract):
    @pytest.fixture
    def embedder(self, real: Embedder) -> Embedder:
        return real

    def test_other_models_get_no_prefixes(self, embedder: Embedder) -> None:
        bare = Embedder(str(models.mini_lm()), query_prefix="", passage_prefix="")
        assert embedder.fingerprint == bare.fingerprint
        assert embedder.dimensions == 384

    def test_a_question_is_nearest_to_the_text_that_answers_it(self, embedder: Embedder) -> None:
        texts = [
            "Refunds are paid within ten working days.",
            "The warehouse opens at six.",
            "Drivers rest eleven hours a day.",
        ]
        scores = embedder.passages(texts) @ embedder.query("how long does it take to get my money back?")
        assert scores.argmax() == 0
