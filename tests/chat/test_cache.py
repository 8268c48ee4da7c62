"""Answers are cached by their evidence: the same evidence hits, anything else misses, and a lost cache loses time."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from pytest_django import Settings

from chat import assembly, settling
from chat.cache import Begun, DjangoAnswerCache, _query_key, begin, kept_answers, queries
from chat.kept import differences
from chat.models import EvidenceRecord
from chat.rules.types import DraftClaim, Generation, Usage
from documents.embedders.base import EmbedderUnavailable
from documents.embedders.hashing import Embedder
from documents.search import active
from tests import factories
from tests.chat import portal
from tests.chat.passages import passage
from tests.chat.portal import PICKING, PICKING_Q, ask, published, quotes

ONE, OTHER = passage("O prazo é de 4 horas."), passage("O limite é de R$ 10.", chunk_id=2)


@pytest.fixture(autouse=True)
def answering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test finds the cache in use, whatever happened to it in the one before."""
    monkeypatch.setattr("chat.cache._breaker.until", 0.0)


@pytest.fixture
def parts() -> assembly.Parts:
    published("ops-cd-sp", PICKING)
    return assembly.parts()


@pytest.mark.django_db
class TestKey:
    def test_the_same_evidence_is_the_same_key(self, parts: assembly.Parts) -> None:
        key = settling.cache_key(["qual o prazo?"], [ONE, OTHER], parts)
        assert key == settling.cache_key([" Qual  o prazo? "], [replace(ONE), OTHER], parts)

    @pytest.mark.parametrize(
        "sent",
        [
            [OTHER, ONE],
            [ONE],
            [],
            [replace(ONE, text_hash="x"), OTHER],
            [replace(ONE, revision_id="9"), OTHER],
            [replace(ONE, start=1), OTHER],
            [replace(ONE, heading="Outro"), OTHER],
        ],
    )
    def test_other_evidence_is_another_key(self, parts: assembly.Parts, sent: list[assembly.Passage]) -> None:
        assert settling.cache_key(["a?"], sent, parts) != settling.cache_key(["a?"], [ONE, OTHER], parts)

    @pytest.mark.parametrize("part", ["prompt", "verifier", "generator", "rules", "embedder"])
    def test_another_version_is_another_key(self, parts: assembly.Parts, part: str) -> None:
        other = replace(parts, versions=replace(parts.versions, **{part: "another"}))
        assert settling.cache_key(["a?"], [ONE], other) != settling.cache_key(["a?"], [ONE], parts)

    def test_what_the_glossary_makes_of_a_question_is_evidence_too(self, parts: assembly.Parts) -> None:
        keys = {
            settling.cache_key(asked, [ONE], parts) for asked in (["qual o SLA?"], ["qual o SLA?", "qual o prazo?"])
        }
        assert len(keys) == 2

    def test_another_question_is_another_key(self, parts: assembly.Parts) -> None:
        assert settling.cache_key(["qual o prazo?"], [ONE], parts) != settling.cache_key(
            ["qual o limite?"], [ONE], parts
        )


def hit(answer: dict[str, object]) -> bool:
    return bool(EvidenceRecord.objects.get(id=answer["evidence"]).body["cached"])


@pytest.mark.django_db
class TestAnswers:
    @pytest.fixture
    def ana(self) -> User:
        return factories.person("ana")

    def test_the_second_one_who_asks_is_answered_from_the_cache(self, ana: User) -> None:
        published("ops-cd-sp", PICKING)
        first, second = ask(ana, PICKING_Q), ask(factories.person(), PICKING_Q.upper().replace("?", " ?"))
        assert (hit(first), hit(ask(ana, PICKING_Q))) == (False, True)
        assert quotes(first) == quotes(second)

    def test_a_new_revision_misses(self, ana: User) -> None:
        document = published("ops-cd-sp", PICKING)
        ask(ana, PICKING_Q)
        document.revisions.update(validity=(date(2025, 1, 1), timezone.localdate()))
        portal.revise(document, "v2", PICKING.replace("quatro", "seis"), start=timezone.localdate())
        answer = ask(ana, PICKING_Q)
        assert not hit(answer)
        assert "seis horas" in quotes(answer)[0]

    def test_a_cache_that_is_down_is_an_empty_one(self, ana: User, settings: Settings) -> None:
        published("ops-cd-sp", PICKING)
        settings.CACHES = {
            "default": {
                "BACKEND": "django.core.cache.backends.redis.RedisCache",
                "LOCATION": "redis://127.0.0.1:1/0",
                "OPTIONS": {"socket_connect_timeout": 0.2},
            }
        }
        for _ in range(2):
            answer = ask(ana, PICKING_Q)
            assert (answer["status"], hit(answer)) == ("answered", False)


def test_a_generation_comes_back_as_it_went_in() -> None:
    held = DjangoAnswerCache()
    value = Generation((DraftClaim("a", 1, "b"),), Usage(1, 2, 3, 0.5))
    assert held.get("k") is None
    held.set("k", value, [])
    assert held.get("k") == value
    cache.set("answer:k", {"claims": []})
    assert held.get("k") is None, "what another version wrote is not read"


def made(embedder: Embedder, texts: list[str], begun: Begun | None = None) -> list[np.ndarray]:
    return [vector.result() for vector in queries(embedder, texts, begun)]


class Counting(Embedder):
    asked = 0

    def query(self, text: str) -> np.ndarray:
        self.asked += 1
        return super().query(text)


def test_a_question_is_embedded_once_a_model() -> None:
    small, large = Counting(16), Counting(32)
    for embedder in (small, large, small, large):
        (vector,) = made(embedder, ["qual o prazo?"])
        assert np.array_equal(vector, Embedder(embedder.dimensions).query("qual o prazo?"))
    assert (small.asked, large.asked) == (1, 1)


def test_the_wordings_of_a_question_come_in_their_order_and_each_is_embedded_once() -> None:
    embedder = Counting(16)
    texts = ["qual o SLA?", "qual o prazo?", "qual o SLA?", "nível de serviço"]
    made(embedder, ["qual o prazo?"])

    vectors = made(embedder, texts)

    for text, vector in zip(texts, vectors, strict=True):
        assert np.array_equal(vector, Embedder(16).query(text)), text
    assert embedder.asked == 3


class Here(Counting):
    in_process = True


def test_a_question_that_was_begun_is_embedded_once_and_a_cache_is_not_needed_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("chat.cache._breaker.until", float("inf"))
    embedder = Here(16)
    begun = begin(embedder, "qual o prazo?")
    assert begun is not None
    begun.vector.result()
    texts = ["nível de serviço", "qual o prazo?"]
    for text, vector in zip(texts, made(embedder, texts, begun), strict=True):
        assert np.array_equal(vector, Embedder(16).query(text)), text
    assert embedder.asked == 2


def test_what_was_begun_for_other_words_or_by_another_model_is_not_taken() -> None:
    embedder = Here(16)
    begun = begin(embedder, "cual o praso?")
    [vector] = made(embedder, ["qual o prazo?"], begun)
    assert np.array_equal(vector, Embedder(16).query("qual o prazo?"))
    [vector] = made(Here(32), ["cual o praso?"], begun)
    assert vector.shape == (32,)


def test_nothing_is_begun_by_a_model_that_is_elsewhere() -> None:
    embedder = Counting(16)
    assert begin(embedder, "qual o prazo?") is None
    assert embedder.asked == 0


def test_a_model_that_is_down_says_so_whichever_wording_it_was_asked_for() -> None:
    class Down(Embedder):
        def query(self, text: str) -> np.ndarray:
            if text == "b":
                raise EmbedderUnavailable("down")
            return super().query(text)

    for texts in (["a", "b"], ["b", "a"]):
        with pytest.raises(EmbedderUnavailable):
            made(Down(16), texts)


@pytest.mark.django_db
def test_kept_answers_and_vectors_are_compared_with_the_tables() -> None:
    ana, document = factories.person("ana"), published("ops-cd-sp", PICKING)
    ask(ana, PICKING_Q)
    assert len(kept_answers()) == 1
    assert differences([]) == []
    revision = document.revisions.get()
    [key] = kept_answers()
    held = kept_answers()[key]
    place = replace(held.places[0], text_hash="of another text")
    cache.set(f"answer:{key}", replace(held, places=(place, *held.places[1:])))
    [said] = differences([revision.pk])
    assert said.startswith(f"answer {key[:12]}: its passage")
    assert differences([revision.pk + 1]) == [], "it is about other revisions"
    cache.delete(f"answer:{key}")
    embedder = active.embedder()
    made(embedder, [PICKING_Q])
    assert differences([]) == []
    cache.set(_query_key(embedder, PICKING_Q), np.zeros(embedder.dimensions, dtype=np.float32).tobytes())
    assert differences([]) == ["a question's vector is not what its model makes of it"]
