"""A vector that is still being made changes when things are looked for, and nothing of what is found."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Timer

import pytest

from chat.assembly import parts
from chat.candidates import Asked, Fused, recheck, search
from chat.rules.types import Search
from documents import corpus
from documents.embedders.base import EmbedderUnavailable
from documents.payloads import Payloads
from documents.reader import reader_of
from documents.search import active
from documents.search.base import Vector
from tests import factories
from tests.chat.portal import PICKING, PICKING_Q, REFUND, published
from tests.days import today

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked() -> Asked:
    published("ops-cd-sp", PICKING)
    published("reembolso", REFUND, readers=["group:outros"])
    for number in range(5):
        published(f"wiki-{number}", f"1. Prazo {number}\nA separação {number} leva {number + 1} dias.", kind="wiki")
    reader = reader_of(factories.person("ana"))
    return Asked(reader, parts().corpus.audiences(reader), today(), today())


def found(asked: Asked, vector: Vector | Future[Vector], area: str | None = None) -> list[Fused]:
    return search([Search(PICKING_Q, area)], [vector], asked, parts())


def pending(vector: Vector) -> Future[Vector]:
    made: Future[Vector] = Future()
    Timer(0.2, made.set_result, [vector]).start()
    return made


@pytest.mark.parametrize("area", [None, "area-of-nothing"])
def test_the_same_is_found_whenever_the_vector_comes(asked: Asked, area: str | None) -> None:
    vector = active.embedder().query(PICKING_Q)
    at_once = found(asked, vector, area)
    assert {item.corpus for item in at_once} == {"official", "wiki"}
    assert any(item.lexical_rank and item.vector_rank for item in at_once)
    assert found(asked, pending(vector), area) == at_once


def test_what_words_find_is_read_while_the_vector_is_made(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_payloads", Payloads())
    listed = found(asked, pending(active.embedder().query(PICKING_Q)))
    words = {item.chunk_id for item in listed if item.lexical_rank}
    read: list[list[int]] = []
    really = corpus._read
    monkeypatch.setattr(corpus, "_read", lambda ids, version: read.append(ids) or really(ids, version))
    checked = recheck(listed, asked, parts())
    assert words
    assert words <= {item.passage.chunk_id for item in checked.eligible}
    assert words.isdisjoint(chunk for ids in read for chunk in ids)


def test_a_vector_that_fails_while_words_are_looked_for_is_told_as_it_is(asked: Asked) -> None:
    failing: Future[Vector] = Future()
    Timer(0.2, failing.set_exception, [EmbedderUnavailable("the model is away")]).start()
    with pytest.raises(EmbedderUnavailable, match="the model is away"):
        found(asked, failing)
