"""What every engine does. Subclass `EngineContract` and give it the fixtures `engine` and `harmed`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date
from itertools import pairwise, product
from threading import Event, Thread, Timer

import numpy as np
import pytest
from django.db import connection

from documents.embedders.base import EmbedderUnavailable
from documents.embedders.hashing import Embedder
from documents.models import Chunk, IndexVersion
from documents.rules.types import Corpus
from documents.search.base import (
    FOREVER,
    NEVER,
    Engine,
    EngineUnavailable,
    Entry,
    Filter,
    IndexOutdated,
    Lists,
    Query,
    Vector,
    day,
    vector_fingerprint,
)
from tests import factories

TODAY = date(2026, 11, 30)
JAN, JUN, DEC = date(2026, 1, 1), date(2026, 6, 1), date(2026, 12, 1)
FILTER = Filter(frozenset({"all"}), TODAY, TODAY, reads_history=False, corpus=Corpus.OFFICIAL)
EMBEDDER = Embedder(dimensions=64)
HARMS = ("down", "slow", "in part", "another layout")
"""What the fixture `harmed` of an engine's tests can do to it."""
Harmed = Callable[[str, int], AbstractContextManager[Engine]]
"""An engine to ask while a harm is done to the index of a version."""
NEAR = 0.4
"""A cosine that texts of the asked words reach and no other."""
MEANT = EMBEDDER.query("prazo de separação")
ASKED = Query("prazo de separação", MEANT)


def allowed(entry: Entry, asked: Filter) -> bool:
    """The engine's half of the rule, written out once more in Python."""
    on, today = day(asked.on), day(asked.today)
    eligible = (
        entry.audience in asked.audiences
        and entry.valid_from <= on < entry.valid_until
        and (asked.reads_history or entry.standing == "open" or today < entry.valid_until)
        and entry.owned
    )
    here = entry.corpus == asked.corpus and asked.area in (None, entry.area)
    return here and (eligible != asked.inverted)


@pytest.fixture
def chunk_ids(db: None) -> Callable[[int], list[int]]:
    """Rows for entries to stand for: an engine in the database refers to them."""

    def make(count: int) -> list[int]:
        revision = factories.revision(factories.document())
        section = revision.sections.get()
        rows = [
            Chunk(revision=revision, section=section, ordinal=n, start=0, end=1, text="t", text_hash="t", heading="h")
            for n in range(count)
        ]
        return [row.pk for row in Chunk.objects.bulk_create(rows)]

    return make


@pytest.fixture
def version(engine: Engine, db: None) -> int:
    row = IndexVersion.objects.create(engine=engine.name, fingerprint=EMBEDDER.fingerprint, dimensions=64)
    engine.create(row.pk, row.dimensions)
    return int(row.pk)


@pytest.fixture
def entry(chunk_ids: Callable[[int], list[int]]) -> Callable[..., Entry]:
    """An entry that `FILTER` lets through, unless told otherwise."""
    ids = iter(chunk_ids(400))

    def make(text: str = "O prazo de separação é de quatro horas úteis.", **changes: object) -> Entry:
        chunk_id = next(ids)
        plain = Entry(
            chunk_id=chunk_id,
            revision_id=chunk_id * 10,
            audience="all",
            valid_from=day(JAN),
            valid_until=FOREVER,
            standing="open",
            owned=True,
            corpus=Corpus.OFFICIAL,
            area="operacoes",
            heading="Manual",
            text=text,
            vector=EMBEDDER.passages([text])[0],
        )
        return replace(plain, **changes)

    return make


def put(engine: Engine, version: int, *entries: Entry) -> None:
    engine.put(version, entries, {entry.revision_id for entry in entries})


def found(lists: Lists) -> tuple[list[int], list[int]]:
    return [hit.chunk_id for hit in lists.lexical], [hit.chunk_id for hit in lists.vector]


def ask(engine: Engine, version: int, asked: Filter = FILTER, query: Query = ASKED, limit: int = 50) -> set[int]:
    """What either half finds. Both must find the same where every text answers."""
    lexical, vector = found(engine.search(version, query, [asked], limit)[0])
    assert sorted(lexical) == sorted(vector)
    return set(lexical)


class EngineContract:
    """The two halves find what the filter lets through, and nothing else, whatever would rank first."""

    @pytest.mark.parametrize(
        ("change", "asked"),
        [
            ({"audience": "others"}, {}),
            ({"owned": False}, {}),
            ({"valid_from": day(DEC)}, {}),
            ({"valid_until": day(JUN)}, {}),
            ({"valid_until": day(TODAY)}, {}),
            ({"valid_from": NEVER[0], "valid_until": NEVER[1]}, {}),
            ({"valid_until": day(JUN), "standing": "role"}, {"on": date(2026, 3, 1)}),
            ({"corpus": Corpus.WIKI}, {}),
            ({"area": "rh"}, {"area": "operacoes"}),
        ],
    )
    def test_each_reason_excludes_before_the_ranking(
        self, engine: Engine, version: int, entry: Callable[..., Entry], change: dict, asked: dict
    ) -> None:
        """Thirty better matches that may not be used leave the one place to the one that may."""
        best = [entry("prazo de separação", **change) for _ in range(30)]
        right = entry("o prazo que vale para a separação de pedidos no armazém é outro")
        put(engine, version, *best, right)
        assert ask(engine, version, replace(FILTER, **asked), limit=1) == {right.chunk_id}

    def test_no_audience_is_nothing_even_from_an_index_that_is_not_there(self, engine: Engine) -> None:
        nobody = replace(FILTER, audiences=frozenset())
        assert engine.search(987654, ASKED, [nobody, nobody], 10) == [Lists((), ())] * 2

    def test_the_filter_is_the_rule_for_every_combination_and_inverted_its_exact_complement(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        windows = [
            NEVER, (day(JAN), FOREVER), (day(TODAY), FOREVER), (day(DEC), FOREVER), (day(date(1950, 1, 1)), day(JUN)),
        ]  # fmt: skip
        entries = [
            entry(audience=audience, standing=standing, owned=owned, area=area, corpus=corpus,
                  valid_from=start, valid_until=until)
            for audience, standing, owned, area, corpus, (start, until) in product(
                ("all", "rh"), ("open", "role"), (True, False), ("operacoes", "rh"), (Corpus.OFFICIAL, Corpus.MINUTES),
                windows,
            )
        ]  # fmt: skip
        put(engine, version, *entries)
        for on, history, area, audiences in product(
            (TODAY, date(2026, 3, 1), date(1949, 1, 1), DEC), (True, False), (None, "rh"),
            (frozenset({"all"}), frozenset({"all", "rh"})),
        ):  # fmt: skip
            asked = Filter(audiences, on, TODAY, history, Corpus.OFFICIAL, area)
            for filter_ in (asked, replace(asked, inverted=True)):
                expected = {e.chunk_id for e in entries if allowed(e, filter_)}
                assert ask(engine, version, filter_, limit=1000) == expected, filter_
        unseen = replace(FILTER, audiences=frozenset(), inverted=True)
        assert ask(engine, version, unseen, limit=1000) == {e.chunk_id for e in entries if allowed(e, unseen)}

    def test_one_answer_for_each_filter_in_order(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        picking, leave = entry("separação de pedidos"), entry("férias do empregado", audience="rh")
        put(engine, version, picking, leave)
        filters = [FILTER, replace(FILTER, audiences=frozenset()), replace(FILTER, audiences=frozenset({"rh"}))]
        found_of = [found(lists) for lists in engine.search(version, ASKED, filters, 5)]
        assert found_of == [([picking.chunk_id], [picking.chunk_id]), ([], []), ([], [leave.chunk_id])]

    def test_either_half_of_a_query_may_be_missing(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        put(engine, version, one := entry())
        [words_only] = engine.search(version, Query(ASKED.text, None), [FILTER], 5)
        [vector_only] = engine.search(version, Query("", ASKED.vector), [FILTER], 5)
        assert found(words_only) == ([one.chunk_id], [])
        assert found(vector_only) == ([], [one.chunk_id])

    def test_a_vector_that_is_still_being_made_is_waited_for_and_its_failure_is_told_as_it_is(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        put(engine, version, entry())
        later: Future[Vector] = Future()
        Timer(0.2, later.set_result, [MEANT]).start()
        assert engine.search(version, Query(ASKED.text, later), [FILTER], 5) == engine.search(
            version, ASKED, [FILTER], 5
        )
        failed: Future[Vector] = Future()
        failed.set_exception(EmbedderUnavailable("the model is away"))
        with pytest.raises(EmbedderUnavailable, match="the model is away"):
            engine.search(version, Query(ASKED.text, failed), [FILTER], 5)

    def test_the_nearest_come_first_with_their_cosine(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        texts = ["prazo de separação", "prazo de entrega", "uniforme e crachá"]
        entries = [entry(text) for text in texts]
        put(engine, version, *entries)
        hits = engine.search(version, ASKED, [FILTER], 3)[0].vector
        assert [hit.chunk_id for hit in hits] == [e.chunk_id for e in entries]
        expected = [float(e.vector @ MEANT) for e in entries]
        assert [hit.score for hit in hits] == pytest.approx(expected, abs=2e-3)

    def test_a_longer_list_begins_with_the_shorter_one(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        """Candidates can be paged: what was read first stays first, ties at the cut included."""
        texts = [f"prazo de separação {'de pedidos ' * (n % 7)}no armazém {n % 5}" for n in range(60)]
        put(engine, version, *(entry(text) for text in texts))
        pages = [found(engine.search(version, ASKED, [FILTER], limit)[0]) for limit in (5, 10, 25, 50)]
        for (words, near), (more_words, nearer) in pairwise(pages):
            assert words == more_words[: len(words)]
            assert near == nearer[: len(near)]
        assert [len(words) for words, _near in pages] == [len(near) for _words, near in pages] == [5, 10, 25, 50]

    def test_ties_are_in_the_order_of_chunk_ids_however_they_came(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        entries = [entry() for _ in range(12)]
        for part in (entries[7:], entries[:3], entries[3:7]):
            put(engine, version, *part)
        put(engine, version, entries[5], entries[0])
        expected = [e.chunk_id for e in entries]
        assert found(engine.search(version, ASKED, [FILTER], 12)[0]) == (expected, expected)
        assert found(engine.search(version, ASKED, [FILTER], 4)[0]) == (expected[:4], expected[:4])

    @pytest.mark.parametrize(
        ("text", "question"),
        [
            ("As aprovações seguem a alçada do gestor.", "quem aprova? aprovacao"),
            ("O reembolso será pago em dez dias.", "reembolsos"),
            ("É vedado o transporte de inflamáveis.", "inflamavel"),
            ("A separação no CD-SP leva quatro horas.", "cd sp"),
            ("Segue a Resolução ANTT nº 5.947/2021.", "antt 5947"),
            ("Conforme a política POL-2021-0123.", "pol 2021 0123"),
            ("Conforme a política POL-2021-0123.", "POL-2021-0123"),
            ("Os caminhões param na doca.", "caminhao"),
            ("Quem autoriza é o coordenador.", "autorização das coordenadoras"),
            ("Emissão de crachá para visitante.", "EMISSÕES de CRACHÁS"),
        ],
    )
    def test_portuguese_words_and_codes_are_found_as_people_type_them(
        self, engine: Engine, version: int, entry: Callable[..., Entry], text: str, question: str
    ) -> None:
        put(engine, version, right := entry(text), *(entry("Outro assunto qualquer, sem relação.") for _ in range(5)))
        assert found(engine.search(version, Query(question, None), [FILTER], 1)[0])[0] == [right.chunk_id]

    def test_what_is_put_again_replaces_and_what_is_left_out_goes(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        first, second = entry(revision_id=7), entry(revision_id=7)
        other = entry(revision_id=8)
        put(engine, version, first, second, other)
        changed = replace(second, text="férias", vector=EMBEDDER.query("férias"))
        engine.put(version, [changed], [7])
        assert found(engine.search(version, Query(ASKED.text, None), [FILTER], 5)[0])[0] == [other.chunk_id]
        assert engine.held(version).keys() == {second.chunk_id, other.chunk_id}
        leave = engine.search(version, Query("férias", EMBEDDER.query("férias")), [FILTER], 1)[0]
        assert found(leave) == ([second.chunk_id], [second.chunk_id])
        engine.put(version, [], [7, 8])
        assert (ask(engine, version), engine.held(version), engine.size(version)) == (set(), {}, 0)

    def test_filter_fields_change_without_a_vector(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        stays, moves = entry(), entry()
        put(engine, version, stays, moves)
        empty = np.empty(0, dtype=np.float32)
        engine.refilter(version, [replace(moves, audience="rh", valid_until=day(DEC), vector=empty)])
        assert ask(engine, version) == {stays.chunk_id}
        found_by_rh = engine.search(version, ASKED, [replace(FILTER, audiences=frozenset({"rh"}))], 5)[0]
        assert found(found_by_rh) == ([moves.chunk_id], [moves.chunk_id])
        assert found_by_rh.vector[0].score == pytest.approx(float(moves.vector @ MEANT), abs=2e-3)

    def test_a_change_of_corpus_takes_the_vector_along(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        stays, moves = entry(), entry()
        put(engine, version, stays, moves)
        moved = replace(moves, corpus=Corpus.WIKI, vector=np.empty(0, dtype=np.float32))
        engine.refilter(version, [moved])
        assert ask(engine, version) == {stays.chunk_id}
        assert ask(engine, version, replace(FILTER, corpus=Corpus.WIKI)) == {moves.chunk_id}
        assert engine.held(version)[moves.chunk_id].fields == moved.filter_fields
        assert engine.size(version) == 2

    def test_what_is_not_held_is_not_made_by_a_change_of_filter_fields(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        """It has no vector to be found by: only the whole entry makes it."""
        put(engine, version, one := entry())
        engine.refilter(version, [replace(entry(), vector=np.empty(0, dtype=np.float32))])
        assert {chunk for chunk, held in engine.held(version).items() if held.whole} == {one.chunk_id}

    def test_a_heading_changes_without_a_vector(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        put(engine, version, one := replace(entry(), heading="Manual (POA)"))
        moved = replace(one, heading="Manual (CD-SP)", audience="rh", vector=np.empty(0, dtype=np.float32))
        engine.refilter(version, [moved])
        rh = replace(FILTER, audiences=frozenset({"rh"}))
        for word, hits in (("cd-sp", [one.chunk_id]), ("poa", [])):
            assert found(engine.search(version, Query(word, None), [rh], 5)[0])[0] == hits

    def test_it_tells_what_it_holds(self, engine: Engine, version: int, entry: Callable[..., Entry]) -> None:
        entries = [entry(), entry(owned=False, standing="role"), entry(corpus=Corpus.WIKI, area="rh")]
        put(engine, version, *entries)
        assert engine.size(version) == 3
        held = engine.held(version)
        assert {chunk: one.fields for chunk, one in held.items()} == {e.chunk_id: e.filter_fields for e in entries}
        assert {chunk: one.vector for chunk, one in held.items()} == {
            e.chunk_id: vector_fingerprint(e.vector) for e in entries
        }
        assert all(one.whole for one in engine.held(version, every_copy=True).values())
        assert engine.held(version, [entries[0].revision_id, 5]).keys() == {entries[0].chunk_id}
        assert engine.held(version, []) == {}

    def test_scores_of_given_chunks_are_those_of_the_search(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        entries = [entry(), entry("separação"), entry("uniforme")]
        put(engine, version, *entries)
        searched = {h.chunk_id: h.score for h in engine.search(version, ASKED, [FILTER], 5)[0].lexical}
        scores = engine.lexical_scores(version, ASKED.text, [e.chunk_id for e in entries])
        assert scores == pytest.approx(searched)
        assert entries[2].chunk_id not in scores

    def test_scores_can_be_compared_across_corpora(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        """The joint list ranks passages of every corpus together: the same words are worth the same in each."""
        here, there = entry("separação de pedidos"), entry("separação de pedidos", corpus=Corpus.MINUTES)
        put(engine, version, here, there, *(entry(f"separação de lote {n}") for n in range(9)))
        scores = engine.lexical_scores(version, "pedidos em separação", [here.chunk_id, there.chunk_id])
        assert scores[here.chunk_id] == pytest.approx(scores[there.chunk_id])

    def test_a_question_as_long_as_a_text_is_answered(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        put(engine, version, one := entry())
        text = " ".join(f"palavra{n} CD-{n} separação" for n in range(700))
        assert found(engine.search(version, Query(text, None), [FILTER], 5)[0])[0] == [one.chunk_id]

    def test_words_are_counted_and_known_only_where_the_reader_may_look(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        put(engine, version, entry("CD-SP"), entry("CD-SP e CD-MG", audience="secret"))
        assert engine.document_frequency(version, ["cdsp", "cdmg", "nada"]) == {"cdsp": 2, "cdmg": 1, "nada": 0}
        assert engine.known(version, ["cdsp", "cdmg"], [FILTER]) == {"cdsp"}
        assert engine.known(version, ["cdsp"], [replace(FILTER, audiences=frozenset())]) == frozenset()

    def test_versions_do_not_see_one_another(self, engine: Engine, version: int, entry: Callable[..., Entry]) -> None:
        row = IndexVersion.objects.create(engine=engine.name, fingerprint=EMBEDDER.fingerprint, dimensions=64)
        engine.create(row.pk, 64)
        put(engine, version, old := entry())
        put(engine, row.pk, new := entry())
        assert (ask(engine, version), ask(engine, row.pk)) == ({old.chunk_id}, {new.chunk_id})
        engine.drop(row.pk)
        engine.drop(row.pk)
        assert ask(engine, version) == {old.chunk_id}

    def test_creating_finishing_and_activating_again_keep_what_is_there(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        put(engine, version, one := entry())
        for _ in range(2):
            engine.create(version, 64)
            engine.finish(version)
            engine.activate(version)
        assert ask(engine, version) == {one.chunk_id}

    @pytest.mark.parametrize("call", ["search", "held", "put"])
    @pytest.mark.parametrize("harm", HARMS)
    def test_what_it_cannot_tell_whole_is_an_error_and_never_fewer_results(
        self, engine: Engine, version: int, entry: Callable[..., Entry], harmed: Harmed, harm: str, call: str
    ) -> None:
        entries = [entry(revision_id=1 + n) for n in range(6)]
        put(engine, version, *entries)
        calls: dict[str, Callable[[Engine], object]] = {
            "search": lambda asked: asked.search(version, ASKED, [FILTER], 5),
            "held": lambda asked: asked.held(version),
            "put": lambda asked: asked.put(version, entries, [entry.revision_id for entry in entries]),
        }
        with harmed(harm, version) as broken, pytest.raises(EngineUnavailable) as error:
            calls[call](broken)
        assert str(error.value)
        if harm == "another layout":
            assert isinstance(error.value, IndexOutdated)
            assert "run `manage.py reindex`" in str(error.value)

    @pytest.mark.django_db(transaction=True)
    def test_a_revision_is_found_whole_or_not_at_all_while_it_is_written(
        self, engine: Engine, version: int, entry: Callable[..., Entry]
    ) -> None:
        """Questions run all the time while a revision is put, published, closed, put anew and taken out."""
        draft = [entry(revision_id=5, valid_from=0, valid_until=0) for _ in range(40)]
        text = "prazo de separação de outro armazém"
        again = [replace(one, text=text, vector=EMBEDDER.query(text), valid_until=FOREVER) for one in draft]
        put(engine, version, entry("férias"))
        with prober(engine, version, limit=100) as seen:
            engine.put(version, draft, [5])
            for _ in range(4):
                engine.refilter(version, [replace(one, valid_until=FOREVER) for one in draft])
                engine.refilter(version, draft)
                engine.put(version, again, [5])
                engine.put(version, [], [5])
                engine.put(version, draft, [5])
        assert {len(chunks) for chunks in seen} == {0, 40}


@contextmanager
def prober(engine: Engine, version: int, limit: int) -> Iterator[list[set[int]]]:
    """Asks all the time in a thread of its own; yields what either half found of revision texts, list by list."""
    seen: list[set[int]] = []
    stop, failed = Event(), []

    def run() -> None:
        try:
            while not stop.is_set():
                [lists] = engine.search(version, ASKED, [FILTER], limit)
                seen.append({hit.chunk_id for hit in lists.lexical})
                seen.append({hit.chunk_id for hit in lists.vector if hit.score > NEAR})
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()
        if failed:  # why whoever waited for it waited in vain
            raise failed[0]


def vectors(count: int, dimensions: int, seed: int) -> list[Vector]:
    """Unit vectors around forty centres that are the same for every seed, as texts and questions are."""
    centres, random = np.random.default_rng(0).normal(size=(40, dimensions)), np.random.default_rng(seed)
    rows = centres[random.integers(0, 40, count)] + 0.7 * random.normal(size=(count, dimensions))
    return list((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32))
