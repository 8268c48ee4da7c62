"""The embedded index put back to what it was before a retirement and a publication, as a restored folder is."""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg

from tests.faults.conftest import World
from tests.faults.prober import Prober, Truth
from tests.faults.work import publish, retire

COLUMNS = (
    "id, version_id, chunk_id, revision_id, audience, valid_from, valid_until, standing, owned, corpus, area, vector"
)


def test_words_and_vectors_that_are_behind_show_nothing_that_is_gone(embedded: World, tmp_path: Path) -> None:
    truth, [first, second] = Truth(), embedded.take(2)
    publish(embedded, truth, first)
    assert embedded.holds() == []
    index, copy = embedded.portal.here.var / "index", tmp_path / "index"
    shutil.copytree(index, copy)
    with psycopg.connect(embedded.portal.here.database_url, autocommit=True) as database:
        database.execute("CREATE TABLE entries_before AS TABLE documents_indexentry")
        try:
            retire(embedded, truth, first)
            publish(embedded, truth, second)
            assert embedded.holds() == []
            with Prober(embedded.portal.url, embedded.tokens["leitor"], embedded.still, truth) as prober:
                shutil.copytree(copy, index, dirs_exist_ok=True)
                database.execute("DELETE FROM documents_indexentry")
                database.execute(
                    f"INSERT INTO documents_indexentry ({COLUMNS}) OVERRIDING SYSTEM VALUE "
                    f"SELECT {COLUMNS} FROM entries_before"
                )
                assert prober.probe(first) == "not_found"
                prober.probe(second)
                said = embedded.portal.manage("check_index", accept=(1,))
                assert f"filter {first.code}@v2" in said
                assert f"filter {second.code}@v2" in said
                embedded.portal.manage("check_index", "--repair")
                assert prober.probe(second) == "answered"
        finally:
            database.execute("DROP TABLE entries_before")
    assert embedded.holds(prober.evidence) == []
    assert prober.faults == []
    assert prober.seen["answered"] > 1
