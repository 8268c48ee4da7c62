"""The embedder for sentence-transformers models, on a tiny model made on disk. Needs the `models` requirements."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents.embedders.base import EmbedderUnavailable
from documents.embedders.sentence_transformers import Embedder
from tests.documents.embedders.contract import TEXTS, EmbedderContract


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random two-layer model whose vocabulary is the letters and the words of the contract's texts."""
    library = pytest.importorskip("sentence_transformers", reason="needs the `models` requirements")
    parts = pytest.importorskip("sentence_transformers.models")
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(7)
    made = tmp_path_factory.mktemp("model")
    letters = [chr(code) for code in range(33, 127)]
    words = sorted({word.lower() for text in TEXTS for word in text.split()})
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = [*marks, *letters, *(f"##{letter}" for letter in letters), *words]
    (made / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab_file=str(made / "vocab.txt"), model_max_length=128)
    tokenizer.save_pretrained(made)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
    )
    BertModel(config).save_pretrained(made)
    word = parts.Transformer(str(made), max_seq_length=128)
    pooled = parts.Pooling(32, "mean")
    library.SentenceTransformer(modules=[word, pooled], device="cpu").save(str(made / "e5-tiny"))
    return made / "e5-tiny"


@pytest.fixture(scope="module")
def embedder(folder: Path) -> Embedder:
    return Embedder(str(folder))


class TestSentenceTransformers(EmbedderContract):
    def test_e5_models_get_their_prefixes(self, folder: Path, embedder: Embedder) -> None:
        bare = Embedder(str(folder), query_prefix="", passage_prefix="")
        assert abs(float(embedder.query("prazo") @ bare.query("query: prazo")) - 1) < 1e-4
        assert abs(float(embedder.passages(["prazo"])[0] @ bare.query("passage: prazo")) - 1) < 1e-4

    def test_a_model_that_is_not_there_says_so(self, folder: Path) -> None:
        with pytest.raises(EmbedderUnavailable, match="cannot be loaded"):
            Embedder(str(folder.parent / "nowhere")).query("prazo")
