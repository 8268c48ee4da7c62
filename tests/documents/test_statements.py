"""A statement is made once for each shape of a reader and gives each reader their own rows."""

from __future__ import annotations

from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from documents.corpus import AUDIENCES
from documents.models import Chunk, Document, Embedding
from documents.reader import reader_of
from documents.statements import IDS, ReaderStatement
from tests import factories

pytestmark = pytest.mark.django_db
DAY = date(2026, 11, 30)


def test_two_of_one_shape_read_what_is_theirs() -> None:
    people = [factories.person(groups=[name]) for name in ("equipe", "diretoria")]
    for name in ("equipe", "diretoria"):
        factories.document(name, readers=[f"group:{name}"])
    statement = ReaderStatement(lambda reader, _on, _today: Document.objects.readable_by(reader).values_list("code"))
    assert [statement.rows(reader_of(one), DAY, DAY) for one in people] == [[("equipe",)], [("diretoria",)]]
    assert statement._compiled.cache_info().misses == 1


def test_who_is_gone_reads_nothing_and_asks_nothing(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    gone = reader_of(factories.person(is_active=False))
    with django_assert_num_queries(0):
        assert AUDIENCES.rows(gone, DAY, DAY) == []


def test_a_column_that_django_converts_is_refused() -> None:
    vectors = ReaderStatement(lambda *_: Embedding.objects.filter(pk__any=IDS).values_list("vector"))
    with pytest.raises(TypeError, match="converts"):
        vectors.rows(reader_of(factories.person()), DAY, DAY)


def test_only_the_ids_that_were_asked_for() -> None:
    statement = ReaderStatement(lambda *_: Chunk.objects.filter(pk__any=IDS).values_list("pk"))
    assert statement.rows(reader_of(factories.person()), DAY, DAY, [10**9]) == []
