"""A vector that is still being made changes when things are looked for, and nothing of what is found."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from chat.assembly import parts
from chat.candidates import Asked, Fused, recheck, search
from chat.rules.types import Search
from documents import corpus
from documents.embedders.base import EmbedderUnavailable
from documents.models import IndexVersion
from documents.payloads import Payload, Payloads
from documents.reader import reader_of
from documents.search import active
from documents.search.base import Vector
from tests import factories
from tests.chat.portal import PICKING, PICKING_Q, published
from tests.days import today

pytestmark = pytest.mark.django_db


class Late(Future[Vector]):
    """A vector that is made when it is waited for."""

    def __init__(self, vector: Vector | Exception) -> None:
        super().__init__()
        self.vector = vector

    def result(self, timeout: float | None = None) -> Vector:
        if not self.done():
            self.set_exception(self.vector) if isinstance(self.vector, Exception) else self.set_result(self.vector)
        return super().result(timeout)


@pytest.fixture
def asked() -> Asked:
    published("ops-cd-sp", PICKING)
    published("cofre", PICKING, readers=["group:outros"])
    for number in range(5):
        text = f"1. Prazo {number}\nA separação {number} leva {number + 1} dias."
        published(f"wiki-{number}", text, kind="wiki", area=factories.area("rh"))
    reader = reader_of(factories.person("ana"))
    return Asked(reader, parts().corpus.audiences(reader), today(), today())


def found(asked: Asked, vector: Vector | Future[Vector], area: str | None = None) -> list[Fused]:
    return search([Search(PICKING_Q, area)], [vector], asked, parts())


@pytest.mark.parametrize("area", [None, "rh", "area-of-nothing"])
def test_the_same_is_found_whenever_the_vector_comes(asked: Asked, area: str | None) -> None:
    vector = active.embedder().query(PICKING_Q)
    at_once = found(asked, vector, area)
    assert {item.corpus for item in at_once} == ({"wiki"} if area == "rh" else {"official", "wiki"})
    assert any(item.lexical_rank and item.vector_rank for item in at_once)
    assert found(asked, Late(vector), area) == at_once


def test_what_words_find_is_read_before_the_vector_is_waited_for(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_payloads", Payloads())
    late, read, really = Late(active.embedder().query(PICKING_Q)), list[tuple[bool, int]](), corpus._read

    def reading(ids: list[int], version: IndexVersion) -> dict[int, Payload]:
        read.extend((late.done(), chunk) for chunk in ids)
        return really(ids, version)

    monkeypatch.setattr(corpus, "_read", reading)
    listed = found(asked, late)
    checked = recheck(listed, asked, parts())
    words = {item.chunk_id for item in listed if item.lexical_rank}
    assert {chunk for waited, chunk in read if not waited} == words
    assert words.isdisjoint(chunk for waited, chunk in read if waited)
    assert {item.passage.document for item in checked.eligible} == {"ops-cd-sp", *(f"wiki-{n}" for n in range(5))}


def test_a_vector_that_fails_while_words_are_looked_for_is_told_as_it_is(asked: Asked) -> None:
    with pytest.raises(EmbedderUnavailable, match="the model is away"):
        found(asked, Late(EmbedderUnavailable("the model is away")))
