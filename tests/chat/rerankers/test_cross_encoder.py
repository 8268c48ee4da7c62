"""The cross-encoder orders the list and leaves the signals that judge it, on a tiny model made on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chat.rerankers.base import Asked, Candidate, RerankerUnavailable
from chat.rerankers.cross_encoder import Reranker
from chat.rerankers.features import Reranker as Features
from chat.rules.coverage import units
from documents.rules.types import Authority
from tests import models
from tests.chat.passages import passage, terms_under

pytestmark = pytest.mark.models
QUESTION = "qual o prazo de reembolso"
ASKED = Asked(QUESTION, np.ones(4, dtype=np.float32) / 2, units(QUESTION, {"praz": 1, "reembols": 2}, 9))


def candidate(
    text: str, heading: str, number: int, bm25: float, near: float, authority: Authority = Authority.OFFICIAL
) -> Candidate:
    one = passage(text, heading, number, authority=authority)
    return Candidate(one, terms_under(heading, text), bm25, near, near)


CANDIDATES = [
    candidate("O prazo de reembolso é de 10 dias.", "Reembolso > Prazo", 1, 3.0, 0.9),
    candidate("A frota tem 40 caminhões.", "Frota > Tamanho", 2, 0.0, 0.7),
    candidate("Dicas de reembolso.", "Wiki > Dicas", 3, 1.0, 0.8, Authority.UNOFFICIAL),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.tiny_cross_encoder(tmp_path_factory.mktemp("model"))


def test_every_candidate_is_ranked_once_and_keeps_its_coverage(folder: Path) -> None:
    ranked = Reranker(str(folder)).rank(ASKED, CANDIDATES)
    assert sorted(one.candidate.passage.chunk_id for one in ranked) == [1, 2, 3]
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    signals = {one.candidate.passage.chunk_id: one.coverage for one in Features().rank(ASKED, CANDIDATES)}
    assert {one.candidate.passage.chunk_id: one.coverage for one in ranked} == signals


def test_the_same_model_orders_the_same_way(folder: Path) -> None:
    orders = [[one.candidate.passage.chunk_id for one in Reranker(str(folder)).rank(ASKED, CANDIDATES)] for _ in "ab"]
    assert orders[0] == orders[1]


def test_no_candidate_needs_no_model() -> None:
    assert Reranker("nowhere").rank(ASKED, []) == []


def test_a_model_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RerankerUnavailable, match="cannot be loaded"):
        Reranker(str(tmp_path / "nothing")).rank(ASKED, CANDIDATES)
