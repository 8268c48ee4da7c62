"""The benchmark measures in a database of its own and leaves nothing of itself behind."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.db import connection

from documents.models import Chunk, Document, IndexEntry, WordVector
from evaluation.bench import fill, publication
from evaluation.bench.database import forget, own_database
from evaluation.bench.documents import CODE
from evaluation.bench.report import lines
from evaluation.bench.run import ALONE, ON_PASSAGES, Given, Size, alone, run
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TEXT = "\n".join(
    f"O prazo número {n} de separação no centro de distribuição é de {n} horas úteis para os pedidos." for n in range(9)
)


def databases() -> set[str]:
    """Those that this process made, beside the one of the tests."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"kb_bench_%{os.getpid()}"])
        return {name for (name,) in cursor.fetchall()}


def test_the_portals_data_is_not_there_and_is_there_again_though_a_benchmark_breaks():
    factories.document("ours")
    before, index = databases(), settings.KB_INDEX_PATH

    def benchmark() -> None:
        with own_database() as place:
            assert place.database in databases() - before
            assert index != settings.KB_INDEX_PATH
            assert Document.objects.count() == 0
            factories.document("theirs")
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        benchmark()
    assert (databases(), settings.KB_INDEX_PATH) == (before, index)
    assert [document.code for document in Document.objects.all()] == ["ours"]


def test_it_measures_every_part(tmp_path: Path) -> None:
    size = Size(chunks=60, words=400, centres=5, questions=30, imported=6, listed=50, grants=250)
    asked = [f"qual o prazo de separação {n}?" for n in range(24)]
    parts = [part for part in (*ON_PASSAGES, *ALONE) if part != "crowd"]
    given = Given(size, [TEXT], asked, date(2026, 11, 30), tmp_path / "supervisord.pid", parts)

    with own_database() as place:
        result = run(given, place, lambda line: None)
        assert IndexEntry.objects.count() >= 60
    with own_database():
        own = [alone(part, given, lambda line: None) for part in ALONE]

    assert result.corpus.passages == 60
    assert result.retrieval is not None
    assert result.retrieval.whole.n == result.retrieval.known_vector.n == 4
    assert result.answers is not None
    assert sum(result.answers.statuses.values()) == 10
    assert result.publication is not None
    assert result.publication.n == publication.TIMES
    assert result.neighbours is not None
    assert [found.recall for found in result.neighbours] == [1.0, 1.0, 1.0]
    assert result.crowd is None
    assert result.memory.keys() == {"this benchmark"}
    readers, bulk, embedding = own
    assert readers.readers is not None
    assert readers.readers.documents == 50
    assert bulk.bulk is not None
    assert (bulk.bulk.documents, bulk.bulk.passages) == (6, 60)
    assert embedding.embedding is not None
    assert json.loads(json.dumps(asdict(result)))["machine"]["cores"] >= 1
    said = lines([result, result], own)
    assert any("passages/s" in line for line in said)
    assert any("p95 x 1.00" in line for line in said)


def test_what_was_kept_is_found_again_made_anew_by_other_rules_and_forgotten(tmp_path: Path) -> None:
    size = Size(chunks=30, words=400, centres=5)
    given = Given(size, [TEXT], [], date(2026, 11, 30), tmp_path / "supervisord.pid", [])
    before, keep = databases(), f"test_{os.getpid()}"
    try:
        with own_database(keep=keep) as place:
            run(given, place, lambda line: None)
            made = list(Chunk.objects.order_by("pk").values_list("pk", "text_hash"))
        with own_database(keep=keep) as place:
            again = run(given, place, lambda line: None)
            assert list(Chunk.objects.order_by("pk").values_list("pk", "text_hash")) == made
        assert again.corpus.index_seconds == 0, "the index was kept too"
        (place.folder / "made_by").write_text("other rules")
        with own_database(keep=keep):
            assert Document.objects.count() == 0
    finally:
        forget(keep)

    assert databases() == before
    assert not place.folder.exists()


def test_an_interrupted_filling_is_gone_on_with() -> None:
    wrote: list[tuple[int, int, int]] = []

    def make(first: int, many: int, most: int) -> int:
        area = factories.area("rh")
        codes = [f"{CODE}{number}" for number in range(first, first + many)]
        Document.objects.bulk_create([Document(code=code, title=code, kind="policy", area=area) for code in codes])
        wrote.append((first, many, most))
        return 40

    assert fill.fill(100, make, lambda line: None) == 3 * fill.BATCH
    assert wrote == [(1, fill.BATCH, 100), (1 + fill.BATCH, fill.BATCH, 60), (1 + 2 * fill.BATCH, fill.BATCH, 20)]


def test_words_get_their_vectors_once() -> None:
    made = fill.fill_words(("prazo", "expedição", "de", "prazo"), np.random.default_rng(1))

    assert made == WordVector.objects.count() == fill.fill_words(("outra",), np.random.default_rng(1))
    assert WordVector.objects.filter(word__in=["expedição", "prazo"]).count() == 2
