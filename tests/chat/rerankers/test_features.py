"""The reranker without a model, and the vocabulary behind it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from chat.rerankers.base import Asked, Candidate
from chat.rerankers.features import Reranker
from chat.rerankers.words import Vocabulary
from chat.rules.coverage import units
from documents.embedders.base import Vectors
from documents.embedders.hashing import Embedder
from documents.rules.stopwords import STOP
from documents.rules.types import Authority
from tests.chat.passages import passage, terms_under
from tests.chat.rerankers.embedded_words import EmbeddedWords

EMBEDDER = Embedder()


class _Counting:
    """A real source of word vectors that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def vectors(self, words: Sequence[str]) -> Vectors:
        self.asked += words
        return EMBEDDER.passages(words)

    def mean(self) -> Vectors:
        return EMBEDDER.passages(sorted(STOP)).mean(axis=0)


def asked(question: str, words: Vocabulary | None = None) -> Asked:
    frequency = {"praz": 5, "reembols": 5, "cdsp": 3, "viag": 9}
    return Asked(question, EMBEDDER.query(question), units(question, frequency, 100), words)


def candidate(
    text: str, chunk_id: int, heading: str = "Manual > Seção", bm25: float = 0.0, **changes: object
) -> Candidate:
    return Candidate(passage(text, heading, chunk_id, **changes), terms_under(heading, text), bm25, 0.8, 0.8)


def test_coverage_decides_between_passages_that_are_alike_otherwise() -> None:
    ranked = Reranker().rank(asked("prazo de reembolso"), [candidate("Viagem.", 1), candidate("Reembolso: prazo.", 2)])
    assert [one.candidate.passage.chunk_id for one in ranked] == [2, 1]
    assert ranked[0].features["coverage"] == pytest.approx(1.0)
    assert {"z_bm25", "z_cosine", "z_best_sentence", "z_coverage", "authority"} <= ranked[0].features.keys()


def test_the_heading_says_whose_text_it_is() -> None:
    texts = [candidate("O prazo é curto.", 1, "Manual CD-RJ"), candidate("O prazo é curto.", 2, "Manual CD-SP")]
    assert Reranker().rank(asked("prazo no cd sp"), texts)[0].candidate.passage.chunk_id == 2


def test_an_official_source_comes_before_a_wiki_that_says_the_same() -> None:
    wiki = candidate("O prazo do reembolso.", 1, authority=Authority.UNOFFICIAL)
    official = candidate("O prazo do reembolso.", 2)
    ranked = Reranker().rank(asked("prazo do reembolso"), [wiki, official])
    assert [one.candidate.passage.chunk_id for one in ranked] == [2, 1]


def test_a_wiki_that_answers_comes_before_an_official_text_that_does_not() -> None:
    wiki = candidate("O prazo do reembolso.", 1, bm25=9.0, authority=Authority.UNOFFICIAL)
    others = [candidate(f"Outro assunto {n}.", n) for n in range(2, 30)]
    assert Reranker().rank(asked("prazo do reembolso"), [*others, wiki])[0].candidate.passage.chunk_id == 1


def test_ties_are_in_the_order_of_chunks_and_the_order_given_does_not_matter() -> None:
    pool = [candidate("O prazo.", n) for n in (5, 3, 9)]
    for given in (pool, pool[::-1]):
        assert [one.candidate.passage.chunk_id for one in Reranker().rank(asked("prazo"), given)] == [3, 5, 9]


def test_no_candidates_give_no_order() -> None:
    assert Reranker().rank(asked("prazo"), []) == []


def test_a_word_is_asked_from_its_source_once() -> None:
    source = _Counting()
    words = Vocabulary(source)
    for _ in range(3):
        words.nearest(["férias", "prazo"], [("prazo", "dias"), (), ("férias",)])
    assert sorted(source.asked) == ["dias", "férias", "prazo"]


def test_nearest_is_the_best_centred_cosine_of_each_text() -> None:
    words = Vocabulary(_Counting())
    found = words.nearest(["reembolso", "prazo"], [("reembolsos", "nota"), (), ("prazo",)])
    assert found.shape == (2, 3)
    assert found[0, 0] > 0.3 > found[0, 2]
    assert found[1, 2] == pytest.approx(1.0, abs=1e-2)
    assert found[:, 1].tolist() == [0.0, 0.0]


def test_a_full_vocabulary_starts_anew_and_still_answers() -> None:
    small, large = Vocabulary(_Counting(), room=6), Vocabulary(_Counting())
    texts = [tuple(f"palavra{letter}{n}" for n in range(4)) for letter in "abcdef"]
    for text in texts:
        assert np.allclose(small.nearest(["palavraa1"], [text]), large.nearest(["palavraa1"], [text]), atol=1e-3)
    assert np.allclose(small.nearest(["prazo"], texts), large.nearest(["prazo"], texts), atol=1e-3)


def test_threads_share_a_vocabulary_that_keeps_starting_anew() -> None:
    words, alone = Vocabulary(_Counting(), room=12), Vocabulary(_Counting())
    texts = [tuple(f"termo{letter}{n}" for n in range(5)) for letter in "abcdefgh"]
    expected = [alone.nearest(["termoa1"], [text]) for text in texts]
    with ThreadPoolExecutor(6) as pool:
        for number, found in enumerate(pool.map(lambda text: words.nearest(["termoa1"], [text]), texts * 20)):
            assert np.allclose(found, expected[number % len(texts)], atol=1e-3)


def test_words_can_come_straight_from_an_embedder() -> None:
    words = Vocabulary(EmbeddedWords(EMBEDDER, sorted(STOP)))
    assert words.nearest(["reembolço"], [("reembolso",)])[0, 0] > 0.15


def test_a_warm_ranking_asks_for_no_vector() -> None:
    pool = [candidate(f"O prazo número {letter} é de reembolso.", n) for n, letter in enumerate("abcdefghij")]
    source = _Counting()
    question = asked("qual o prazo de reembolso de viagem no cd sp para gerente noturno", Vocabulary(source))
    first = Reranker().rank(question, pool)
    known = list(source.asked)
    assert known
    assert Reranker().rank(question, pool) == first
    assert source.asked == known
