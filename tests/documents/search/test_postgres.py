"""The embedded engine: the contract, its failures, and the recall of its graph."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from documents.models import IndexEntry
from documents.search import pgvector
from documents.search.base import EngineUnavailable, Entry, Filter, Vector
from documents.search.postgres import Engine
from documents.search.widths import wide
from tests.documents.search.contract import (  # noqa: F401
    ASKED,
    FILTER,
    EngineContract,
    Harmed,
    ask,
    chunk_ids,
    entry,
    put,
    vectors,
    version,
)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


@pytest.fixture
def harmed(tmp_path: Path) -> Harmed:
    @contextmanager
    def harm(kind: str, version: int) -> Iterator[Engine]:  # noqa: F811
        fresh, folder = Engine(tmp_path), tmp_path / str(version)
        if kind == "down":
            with connection.execute_wrapper(gone):
                yield fresh
        elif kind == "slow":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = '50ms'")
            with connection.execute_wrapper(asleep):
                yield fresh
        elif kind == "in part":
            for part in (*folder.glob("*.idx"), *folder.glob("*.fast")):
                part.unlink()
            yield fresh
        else:
            (folder / "kbportal.json").write_text('{"schema": 0}')
            yield fresh

    return harm


def gone(execute: Callable[..., object], sql: str, params: object, many: bool, context: dict) -> object:
    raise OperationalError("the server closed the connection unexpectedly")


def asleep(execute: Callable[..., object], sql: str, params: object, many: bool, context: dict) -> object:
    """A server that is busy with something else: the statement is cancelled by its real time-out."""
    return execute("SELECT pg_sleep(5)", None, False, context)


class TestEmbeddedEngine(EngineContract):
    pass


@pytest.fixture
def filled(engine: Engine, version: int, entry: Callable[..., Entry]) -> list[Entry]:  # noqa: F811
    entries = [entry() for _ in range(3)]
    put(engine, version, *entries)
    return entries


@pytest.mark.parametrize("harm", ["folder", "meta", "segment", "stamp"])
def test_a_lost_or_damaged_or_foreign_index_never_answers_nothing(
    tmp_path: Path,
    filled: list[Entry],
    version: int,  # noqa: F811
    harm: str,
) -> None:
    folder = tmp_path / str(version)
    if harm == "folder":
        shutil.rmtree(folder)
    elif harm == "meta":
        (folder / "meta.json").write_text("{}")
    elif harm == "stamp":
        (folder / "kbportal.json").write_text('{"schema": 0}')
    else:
        for part in (*folder.glob("*.idx"), *folder.glob("*.term"), *folder.glob("*.fast"), *folder.glob("*.store")):
            part.unlink()
    fresh = Engine(tmp_path)
    for call in (
        lambda: fresh.search(version, ASKED, [FILTER], 5),
        lambda: fresh.held(version),
        lambda: fresh.size(version),
        lambda: fresh.put(version, filled, [1]),
    ):
        with pytest.raises(EngineUnavailable):
            call()


def test_it_tells_when_its_two_halves_differ(engine: Engine, filled: list[Entry], version: int) -> None:  # noqa: F811
    first, second, third = (e.chunk_id for e in filled)
    IndexEntry.objects.filter(chunk_id=first).delete()
    with engine._lexical(version).writer() as writer:
        writer.delete([second])
    IndexEntry.objects.filter(chunk_id=third).update(audience="rh")
    held = engine.held(version)
    assert {chunk: one.whole for chunk, one in held.items()} == {first: False, second: False, third: False}
    assert held[first].revision_id == filled[0].revision_id
    put(engine, version, *filled)
    assert all(one.whole for one in engine.held(version).values())


def test_a_write_that_fails_in_the_database_is_seen_as_a_difference(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
) -> None:
    """The folder is written first; what the database refuses is told apart by `held`."""
    one = entry()
    with pytest.raises(EngineUnavailable):
        put(engine, version, replace(one, area="x" * 100))
    assert not engine.held(version)[one.chunk_id].whole


@pytest.mark.slow
def test_the_filtered_neighbours_are_those_of_brute_force(
    engine: Engine,
    version: int,  # noqa: F811
    chunk_ids: Callable[[int], list[int]],  # noqa: F811
) -> None:
    """Of 8,000 vectors 1, 10 and 90 in 100 are eligible: few are ranked exactly, of many the graph finds 95 in 100."""
    count, dimensions = 8000, 64
    ids, rows = np.array(chunk_ids(count)), np.stack(vectors(count, dimensions, 1))
    audiences = np.random.default_rng(2).choice(["one", "nine", "most"], count, p=[0.01, 0.09, 0.9])
    fields = {"revision_id": 1, "valid_from": 0, "valid_until": 10**6, "standing": "open", "owned": True}
    IndexEntry.objects.bulk_create(
        [
            IndexEntry(version_id=version, chunk_id=chunk, vector=vector, corpus="official", area="a",
                       audience=audience, **fields)
            for chunk, vector, audience in zip(ids.tolist(), rows, audiences.tolist(), strict=True)
        ],
        batch_size=2000,
    )  # fmt: skip
    connection.check_constraints()  # a graph is not made while a check of this transaction is pending
    engine.finish(version)
    assert _graphs(version) == 1
    rows = rows.astype(np.float16).astype(np.float32)
    queries = vectors(30, dimensions, 3)
    for keys in ({"one"}, {"one", "nine"}, {"most"}):
        for inverted in (False, True):
            asked = replace(FILTER, audiences=frozenset(keys), inverted=inverted)
            eligible = np.isin(audiences, sorted(keys)) != inverted
            recall = _recall(version, asked, ids[eligible], rows[eligible], queries)
            exact = not inverted and eligible.sum() <= pgvector.EXACT_UP_TO
            assert recall >= (1 if exact else 0.95), (keys, inverted, recall)


def _recall(version: int, asked: Filter, ids: np.ndarray, rows: np.ndarray, queries: list[Vector]) -> float:  # noqa: F811
    """The share of the twenty nearest that is found; a tie at the cut counts as found."""
    shares = []
    for query in queries:
        cosines = rows @ query
        last = np.sort(cosines)[-20]
        found = {hit.chunk_id for hit in pgvector.nearest(version, query, [asked], 20)[0]}
        assert len(found) == 20
        shares.append(np.isin(ids[cosines >= last - 1e-5], list(found)).sum() / 20)
    return float(np.mean(np.minimum(shares, 1)))


def _graphs(version: int) -> int:  # noqa: F811
    with connection.cursor() as cursor:
        made = f"documents_indexentry_{version}_%"
        cursor.execute("SELECT count(*) FROM pg_indexes WHERE indexname LIKE %s AND indexdef LIKE '%%hnsw%%'", [made])
        return int(cursor.fetchone()[0])


def test_no_graph_is_made_where_every_search_is_exact(
    engine: Engine,
    version: int,  # noqa: F811
    filled: list[Entry],
) -> None:
    engine.finish(version)
    assert _graphs(version) == 0
    assert ask(engine, version) == {e.chunk_id for e in filled}


@pytest.mark.django_db(transaction=True)
def test_a_graph_that_was_left_half_made_is_made_anew(
    engine: Engine,
    version: int,  # noqa: F811
    filled: list[Entry],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pgvector, "EXACT_UP_TO", 2)
    engine.finish(version)
    assert (_graphs(version), _unfinished(version)) == (1, 0)
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)",
                [f"documents_indexentry_{version}_official"],
            )
        assert _unfinished(version) == 1
        engine.finish(version)
        assert (_graphs(version), _unfinished(version)) == (1, 0)
        assert ask(engine, version) == {e.chunk_id for e in filled}
    finally:
        engine.drop(version)


def _unfinished(version: int) -> int:  # noqa: F811
    with connection.cursor() as cursor:
        made = f"documents_indexentry_{version}_%"
        cursor.execute(
            "SELECT count(*) FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relname LIKE %s AND NOT indisvalid",
            [made],
        )
        return int(cursor.fetchone()[0])


def test_a_kept_count_decides_how_a_list_is_made_and_not_what_is_on_it(
    engine: Engine,
    version: int,  # noqa: F811
    entry: Callable[..., Entry],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pgvector, "EXACT_UP_TO", 2)
    put(engine, version, *(held := [entry() for _ in range(2)]))
    with CaptureQueriesContext(connection) as first:
        assert ask(engine, version) == {e.chunk_id for e in held}
    put(engine, version, *(others := [entry() for _ in range(4)]), entry(audience="rh"))
    with CaptureQueriesContext(connection) as second:
        assert ask(engine, version) == {e.chunk_id for e in (*held, *others)}
    assert len(second) == len(first) - 1
    monkeypatch.setattr(pgvector, "COUNTED_FOR", 0)
    with CaptureQueriesContext(connection) as third:
        ask(engine, version)
    assert len(third) == len(first)


def test_a_larger_graph_is_walked_wider() -> None:
    assert [wide(pgvector.EF_SEARCH, pgvector.EF_DOUBLED, rows) for rows in (0, 20_000, 50_000, 100_000, 200_000)] == [
        160,
        160,
        160,
        220,
        280,
    ]
