"""What every embedder must hold to; each implementation's test class gives only the fixture `embedder`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from documents.embedders.base import Embedder

TEXTS = [
    "O prazo de separação no CD-SP é de 4 horas úteis.",
    "O prazo para separar pedidos no CD-SP é de 4 horas úteis.",
    "Férias devem ser pedidas com trinta dias de antecedência.",
]


class EmbedderContract:
    def test_rows_are_unit_float32_in_the_order_given(self, embedder: Embedder) -> None:
        rows = embedder.passages(TEXTS)
        assert rows.shape == (3, embedder.dimensions)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)
        assert np.allclose(embedder.passages(TEXTS[::-1])[::-1], rows, atol=1e-5)

    def test_a_query_is_one_unit_row(self, embedder: Embedder) -> None:
        vector = embedder.query("qual o prazo de separação?")
        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32
        assert abs(float(np.linalg.norm(vector)) - 1) < 1e-4

    def test_no_text_gives_no_row(self, embedder: Embedder) -> None:
        assert embedder.passages([]).shape == (0, embedder.dimensions)

    def test_the_same_text_gives_the_same_vector_in_any_company(self, embedder: Embedder) -> None:
        alone = embedder.passages(TEXTS[:1])
        crowd = embedder.passages([*TEXTS[1:], *TEXTS * 4, TEXTS[0]])
        assert np.allclose(alone[0], crowd[-1], atol=1e-4)

    def test_similar_texts_are_nearer_than_others(self, embedder: Embedder) -> None:
        rows = embedder.passages(TEXTS)
        assert rows[0] @ rows[1] > rows[0] @ rows[2]

    def test_odd_texts_have_a_vector(self, embedder: Embedder) -> None:
        odd = ["", " ", "\0", "prazo\0oculto", "😀", "\ud800", "º", "a" * 5000]
        rows = embedder.passages(odd)
        assert rows.shape == (len(odd), embedder.dimensions)
        assert np.isfinite(rows).all()
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3)

    def test_what_follows_a_nul_still_counts(self, embedder: Embedder) -> None:
        cut, whole = embedder.passages(["prazo", "prazo\0de entrega da carga"])
        assert cut @ whole < 0.9999

    def test_longer_texts_have_more_tokens(self, embedder: Embedder) -> None:
        assert embedder.max_tokens >= 128
        assert 0 < embedder.count("prazo") < embedder.count("o prazo de entrega da carga é de dez dias")

    def test_the_fingerprint_is_stable_and_says_which_model(self, embedder: Embedder) -> None:
        assert embedder.fingerprint == embedder.fingerprint
        assert 3 < len(embedder.fingerprint) <= 100

    def test_threads_share_it(self, embedder: Embedder) -> None:
        expected = [embedder.query(text) for text in TEXTS]
        with ThreadPoolExecutor(4) as pool:
            for number, vector in enumerate(pool.map(embedder.query, TEXTS * 4)):
                assert np.allclose(vector, expected[number % 3], atol=1e-5)
