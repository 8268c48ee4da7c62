"""The deterministic built-in."""

from __future__ import annotations

import numpy as np
import pytest

from documents.embedders.hashing import Embedder
from tests.documents.embedders.contract import EmbedderContract


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder()


class TestHashing(EmbedderContract):
    def test_the_vector_is_the_same_on_every_machine(self, embedder: Embedder) -> None:
        vector = embedder.query("prazo")
        assert np.flatnonzero(vector).tolist() == [53, 96, 147, 191, 311, 331]

    def test_accents_and_case_do_not_matter(self, embedder: Embedder) -> None:
        assert np.allclose(embedder.query("SEPARACAO"), embedder.query("separação"))

    def test_a_misspelt_word_stays_near(self, embedder: Embedder) -> None:
        assert embedder.query("reembolço") @ embedder.query("reembolso") > 0.2

    def test_too_few_dimensions_are_refused(self) -> None:
        with pytest.raises(ValueError, match="at least 8"):
            Embedder(dimensions=4)
