"""The lexical index finds Portuguese words and codes, and ranks nothing that the filter excludes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from documents.rules.types import Corpus
from documents.search.base import FOREVER, NEVER, Entry, Filter, IndexOutdated, day
from documents.search.lexical import IndexUnavailable, LexicalIndex, Writer, WriterBusy

ON = date(2026, 11, 30)
FILTER = Filter(frozenset({"all"}), ON, ON, reads_history=False, corpus=Corpus.OFFICIAL)
TEXTS = {
    1: ("Manual CD-SP > 4. Prazos", "A separação no CD-SP leva até 4 horas úteis para pedidos recebidos até as 14h."),
    2: ("Manual da matriz > SLA", "O SLA da matriz é de dois dias úteis; o CD-RJ segue o manual próprio."),
    3: ("Carga perigosa > Norma", "O transporte segue a Resolução ANTT nº 5.947/2021 e a NR-20."),
    4: ("Reembolso > Aprovação", "Preencha o formulário FRM-RH-012. As aprovações seguem a política POL-2021-0123."),
    5: ("Férias > Aprovação", "O gestor deve aprovar as férias com 30 dias de antecedência."),
}


def entry(chunk_id: int, heading: str = "Título", text: str = "texto", **changes: object) -> Entry:
    plain = Entry(
        chunk_id=chunk_id,
        revision_id=chunk_id * 10,
        audience="all",
        valid_from=day(date(2026, 1, 1)),
        valid_until=FOREVER,
        standing="open",
        owned=True,
        corpus=Corpus.OFFICIAL,
        area="operacoes",
        heading=heading,
        text=text,
        vector=np.zeros(4, dtype=np.float32),
    )
    return replace(plain, **changes)


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    made = LexicalIndex(tmp_path / "lexical")
    made.create()
    return made


@pytest.fixture
def filled(index: LexicalIndex) -> LexicalIndex:
    with index.writer() as writer:
        writer.put([entry(chunk_id, *texts) for chunk_id, texts in TEXTS.items()])
    return index


def ids(index: LexicalIndex, text: str, filter_: Filter = FILTER, limit: int = 10) -> list[int]:
    return [hit.chunk_id for hit in index.search(text, filter_, limit)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("CD-SP", 1), ("cd sp", 1), ("cdsp", 1), ("prazo cd-sp?", 1), ("CD SP", 1), ("cd/sp", 1),
        ("ANTT 5.947", 3), ("antt 5947", 3), ("resolução 5947", 3), ("Resolucao ANTT n 5.947", 3),
        ("resolução antt nº 5.947", 3), ("nr20", 3), ("NR 20", 3), ("nr-20", 3),
        ("POL-2021-0123", 4), ("pol 2021 0123", 4), ("pol20210123", 4),
        ("FRM-RH-012", 4), ("frm rh 012", 4), ("frmrh012", 4),
        ("cd-rj", 2), ("cd rj", 2),
        ("quem aprova ferias", 5), ("aprovacao de férias", 5), ("aprovar o reembolso", 4),
    ],
)  # fmt: skip
def test_words_and_codes_are_found_however_they_are_typed(filled: LexicalIndex, question: str, first: int) -> None:
    assert ids(filled, question)[0] == first


def test_a_code_of_another_unit_does_not_match_as_a_code(filled: LexicalIndex) -> None:
    scores = {hit.chunk_id: hit.score for hit in filled.search("CD-SP", FILTER, 10)}
    assert scores[1] > 2 * scores.get(2, 0.0)


def test_the_filter_works_before_the_ranking(index: LexicalIndex) -> None:
    with index.writer() as writer:
        writer.put([entry(n, text="prazo prazo prazo", audience="other") for n in range(1, 400)])
        writer.put([entry(500, text="o prazo é de dez dias, contados da entrega do pedido ao cliente")])
    assert ids(index, "prazo", limit=1) == [500]


def test_the_filter_agrees_with_the_rule_for_every_combination(index: LexicalIndex) -> None:
    windows = [
        NEVER,
        (day(date(2026, 1, 1)), FOREVER),
        (day(ON), FOREVER),
        (day(date(2026, 12, 1)), FOREVER),
        (day(date(2020, 1, 1)), day(ON)),
        (day(date(1960, 1, 1)), day(date(2026, 6, 1))),
    ]
    entries = [
        entry(n, text="prazo", audience=audience, standing=standing, owned=owned, area=area, corpus=corpus,
              valid_from=window[0], valid_until=window[1])
        for n, (audience, standing, owned, area, corpus, window) in enumerate(
            product(("all", "rh"), ("open", "role"), (True, False), ("operacoes", "rh"),
                    (Corpus.OFFICIAL, Corpus.WIKI), windows), 1)
    ]  # fmt: skip
    with index.writer() as writer:
        writer.put(entries)
    for on, reads_history, area, inverted, audiences in product(
        (ON, date(2026, 3, 1), date(2019, 5, 5)), (True, False), (None, "rh"), (True, False),
        (frozenset({"all"}), frozenset({"all", "rh"}), frozenset()),
    ):  # fmt: skip
        filter_ = Filter(audiences, on, ON, reads_history, Corpus.OFFICIAL, area, inverted)
        expected = [
            e.chunk_id
            for e in entries
            if e.corpus == Corpus.OFFICIAL
            and (area is None or e.area == area)
            and inverted
            != (
                e.audience in audiences
                and e.valid_from <= day(on) < e.valid_until
                and (e.standing == "open" or e.valid_until > day(ON) or reads_history)
                and e.owned
            )
        ]
        assert ids(index, "prazo", filter_, limit=1000) == expected


def test_no_audience_means_nothing(filled: LexicalIndex) -> None:
    assert ids(filled, "prazo", replace(FILTER, audiences=frozenset())) == []


def test_a_question_without_a_known_word_finds_nothing(filled: LexicalIndex) -> None:
    assert ids(filled, "xyzzy") == ids(filled, "") == ids(filled, "o que é?") == []
    assert filled.scores("", [1]) == {}


def test_ties_keep_the_order_of_ids_through_rewrites(index: LexicalIndex) -> None:
    for numbers in ([9, 3, 7], [5, 1], [3]):
        with index.writer() as writer:
            writer.put([entry(n, text="prazo igual") for n in numbers])
    assert ids(index, "prazo") == [1, 3, 5, 7, 9]


def test_replacing_and_deleting_are_seen_by_an_open_reader(filled: LexicalIndex) -> None:
    reader = LexicalIndex(filled._path)
    assert ids(reader, "ferias") == [5]
    with filled.writer() as writer:
        writer.put([entry(5, text="nada daquilo")])
        writer.delete([1])
        writer.delete_revision(30)
    assert ids(reader, "ferias") == ids(reader, "ANTT") == ids(reader, "cdsp") == []
    assert reader.total == 3


def test_a_failed_block_changes_nothing(filled: LexicalIndex) -> None:
    def fail(writer: Writer) -> None:
        writer.delete([1])
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"), filled.writer() as writer:
        fail(writer)
    assert ids(filled, "cdsp") == [1]
    with filled.writer() as writer:
        writer.delete([2])
    assert filled.total == 4


def test_a_second_writer_is_refused_clearly(filled: LexicalIndex) -> None:
    with filled.writer(), pytest.raises(WriterBusy, match="another process is writing"), filled.writer():
        pass


def test_scores_of_given_chunks_equal_those_of_the_search(filled: LexicalIndex) -> None:
    found = {hit.chunk_id: hit.score for hit in filled.search("aprovação do gestor", FILTER, 10)}
    assert filled.scores("aprovação do gestor", [5, 1, 999]) == {5: pytest.approx(found[5])}


def test_frequencies_count_chunks(filled: LexicalIndex) -> None:
    assert filled.document_frequency(["aprov", "cdsp", "nada"]) == {"aprov": 2, "cdsp": 1, "nada": 0}


def test_known_looks_only_at_what_the_filter_allows(filled: LexicalIndex) -> None:
    with filled.writer() as writer:
        writer.put([entry(6, text="CD-MG", audience="secret")])
    asked = ["cdsp", "cdmg", "cdmanaus", "aprov"]
    assert filled.known(asked, [FILTER]) == {"cdsp", "aprov"}
    assert filled.known(asked, [FILTER, replace(FILTER, audiences=frozenset({"secret"}))]) == {"cdsp", "aprov", "cdmg"}
    assert filled.known(asked, [replace(FILTER, audiences=frozenset())]) == frozenset()


def test_a_missing_damaged_or_foreign_index_is_a_clear_error(tmp_path: Path, filled: LexicalIndex) -> None:
    with pytest.raises(IndexUnavailable, match="there is no index"):
        LexicalIndex(tmp_path / "nowhere").search("prazo", FILTER, 5)
    folder = filled._path
    stamp = (folder / "kbportal.json").read_text()
    (folder / "kbportal.json").write_text('{"schema": 0}')
    with pytest.raises(IndexOutdated, match="another version"):
        LexicalIndex(folder).search("prazo", FILTER, 5)
    (folder / "kbportal.json").write_text(stamp)
    (folder / "meta.json").write_text("{}")
    with pytest.raises(IndexUnavailable, match="cannot be read"):
        LexicalIndex(folder).search("prazo", FILTER, 5)


def test_creating_again_keeps_what_is_there(filled: LexicalIndex) -> None:
    filled.create()
    assert filled.total == 5
