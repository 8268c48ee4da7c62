"""The benchmark measures in a database of its own and leaves nothing of itself behind."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.db import connection

from documents.models import Chunk, Document, IndexEntry, WordVector
from evaluation.bench import fill
from evaluation.bench.database import own_database
from evaluation.bench.report import lines
from evaluation.bench.run import Given, Size, run
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TEXT = "\n".join(
    f"O prazo número {n} de separação no centro de distribuição é de {n} horas úteis para os pedidos." for n in range(9)
)


def databases() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        return {name for (name,) in cursor.fetchall()}


def test_the_portals_data_is_not_there_and_is_there_again():
    factories.document("ours")
    before, index = databases(), settings.KB_INDEX_PATH

    with own_database() as name:
        assert name in databases() - before
        assert index != settings.KB_INDEX_PATH
        assert Document.objects.count() == 0
        factories.document("theirs")

    assert (databases(), settings.KB_INDEX_PATH) == (before, index)
    assert [document.code for document in Document.objects.all()] == ["ours"]


def test_a_benchmark_that_breaks_leaves_no_database():
    before = databases()

    with pytest.raises(RuntimeError, match="half-way"), own_database():
        raise RuntimeError("half-way")

    assert databases() == before


def test_it_measures_every_part(tmp_path: Path):
    size = Size(chunks=60, words=400, centres=5, questions=30, imported=2, listed=50, grants=250)
    asked = [f"qual o prazo de separação {n}?" for n in range(24)]
    said: list[str] = []

    with own_database():
        given = Given(size, [TEXT], asked, date(2026, 11, 30), tmp_path / "supervisord.pid")
        result = run(given, said.append)
        assert IndexEntry.objects.count() >= 60

    assert result.corpus.passages == 60
    assert result.retrieval.whole.n == result.retrieval.known_vector.n == 4
    assert sum(result.answers.statuses.values()) == 10
    assert result.imports.documents == 2
    assert result.readers.documents == 50
    assert result.memory.keys() == {"this benchmark"}
    assert json.loads(json.dumps(asdict(result)))["machine"]["cores"] >= 1
    assert any("passages/s" in line for line in lines(result))


def test_words_get_their_vectors_from_what_was_written():
    made = factories.revision(factories.document(), text="Prazo\nExpedição de paletes.\n")
    section = made.sections.get()
    Chunk.objects.create(revision=made, section=section, ordinal=0, start=6, end=27, text="Expedição de paletes.")

    assert fill.fill_words(np.random.default_rng(1)) == WordVector.objects.count()
    assert WordVector.objects.filter(word__in=["expedição", "paletes"]).count() == 2
