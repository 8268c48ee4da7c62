"""The index follows the tables: whole where the text changed, in its filter fields where only access or dates did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange

from documents.access import refresh_audience
from documents.models import Chunk, Document, Embedding, IndexVersion, Revision, VectorCache
from documents.rules.types import Authority, Extraction, SectionSpan
from documents.search import active
from documents.search.check import check
from documents.search.converge import Converged, converge, converge_one, write
from documents.search.vectors import cached_passages
from governance.actions import publish, retire
from governance.actions.access import set_owner, set_readers
from governance.actions.document import data_of, set_data
from governance.actions.draft import Content, rewrite
from tests import factories
from tests.documents.search.corpus import JAN, NEXT, QUESTION, TODAY, Shelf, Work, counting, found

pytestmark = pytest.mark.django_db


@pytest.fixture
def work() -> Iterator[Callable[[], Work]]:
    with counting() as since:
        yield since


@pytest.fixture
def shelf(work: Callable[[], Work]) -> Shelf:
    shelf = Shelf().fill()
    converge_all()
    work()
    return shelf


def converge_all() -> Converged:
    return converge(Revision.objects.values_list("pk", flat=True))


def test_the_first_convergence_makes_the_index(work: Callable[[], Work]) -> None:
    Shelf().fill()
    assert active.version() is None
    assert converge_all() == Converged(seen=4, rewritten=4)
    version = active.version()
    assert version is not None
    assert (version.state, version.entries) == ("active", Chunk.objects.count())
    assert len(work().put) == Chunk.objects.count() == 4


def test_people_find_what_is_theirs_and_in_force(shelf: Shelf) -> None:
    assert found(shelf.employee) == {"manual@v2"}
    assert found(shelf.employee, on=JAN) == {"manual@v1"}
    assert found(shelf.hr) == {"manual@v2", "folha@v1"}
    assert found(factories.person(is_superuser=True)) == {"manual@v2"}
    assert found(factories.person(is_active=False)) == set()


def test_converging_again_does_nothing(shelf: Shelf, work: Callable[[], Work]) -> None:
    assert converge_all() == Converged(seen=4)
    assert work().nothing


def test_an_empty_corpus_has_an_empty_index() -> None:
    assert converge([]) == Converged()
    assert found(factories.person()) == set()


def test_publishing_rewrites_filter_fields_alone(shelf: Shelf, work: Callable[[], Work]) -> None:
    """The draft was cut and embedded when it was written: its publication, and the end of the one before, are dates."""
    approver = factories.person(areas=["operacoes"], roles=["approver"])
    Revision.objects.filter(pk=shelf.draft.pk).update(
        state="approved", approved_by=approver, approved_hash=shelf.draft.content_hash
    )
    publish(shelf.draft.pk, actor=approver, reason="r", on=TODAY)
    assert converge([shelf.draft.pk, shelf.new.pk]) == Converged(seen=2, refiltered=2)
    did = work()
    assert (did.texts, did.put, len(did.refiltered)) == ([], [], 2)
    assert found(shelf.employee) == {"manual@v3"}
    shelf.draft.refresh_from_db()
    assert shelf.draft.published_at is not None
    assert found(shelf.employee, on=JAN) == {"manual@v1"}


def test_retiring_rewrites_filter_fields_alone(shelf: Shelf, work: Callable[[], Work]) -> None:
    retire(shelf.new.pk, actor=shelf.owner, reason="r", on=TODAY)
    assert converge([shelf.new.pk]) == Converged(seen=1, refiltered=1)
    assert (work().texts, found(shelf.employee)) == ([], set())
    historian = factories.person(roles=["history"])
    assert (found(shelf.employee, on=JAN), found(historian, on=JAN)) == ({"manual@v1"}, {"manual@v1"})
    yesterday = TODAY.replace(day=29)
    assert (found(shelf.employee, on=yesterday), found(historian, on=yesterday)) == (set(), {"manual@v2"})


@pytest.mark.parametrize(
    "change", ["readers", "owner", "no owner", "classification", "area", "history", "scope", "authority", "subjects"]
)
def test_a_change_of_access_rewrites_filter_fields_of_every_revision(
    shelf: Shelf, work: Callable[[], Work], change: str
) -> None:
    row, other = shelf.manual, factories.area("rh")
    Document.objects.filter(pk=row.pk).update(history="readers")
    factories.group("rh")
    match change:
        case "readers":
            set_readers(row.pk, ["group:rh"], actor=shelf.owner, reason="r")
        case "owner":
            set_owner(row.pk, shelf.hr, actor=shelf.owner, reason="r")
        case "no owner":
            set_owner(row.pk, None, actor=shelf.owner, reason="r")
        case "scope" | "authority" | "subjects":
            values: dict[str, dict[str, object]] = {
                "scope": {"scope_units": ("CD-SP",), "scope_products": ("frete",)},
                "authority": {"authority": Authority.UNOFFICIAL},
                "subjects": {"subjects": ("sla",)},
            }
            changed = values[change]
            set_data(row.pk, replace(data_of(row), **changed), actor=shelf.owner, reason="r")  # type: ignore[arg-type]
        case "area":
            Document.objects.filter(pk=row.pk).update(area=other)
        case "classification" | "history":
            Document.objects.filter(pk=row.pk).update(**{change: "role" if change == "history" else "restricted"})
            refresh_audience([Document.objects.get(pk=row.pk)])
    expected = {"history": 1, "authority": 0, "subjects": 0}.get(change, 3)
    done = converge_all()
    assert (done.rewritten, done.refiltered >= expected) == (0, True)
    did = work()
    assert (did.texts, did.put) == ([], [])
    assert converge_all() == Converged(seen=4)
    if change in ("readers", "no owner"):
        assert found(shelf.employee) == set()
    if change == "scope":
        here = factories.person(units=["CD-SP"])
        assert (found(shelf.employee), found(here, "CD-SP")) == (set(), {"manual@v2"}), (
            "and its units are found by name"
        )
    if change == "readers":
        assert found(shelf.hr) == {"manual@v2", "folha@v1"}


def test_a_title_is_searched_so_its_change_embeds_and_nothing_else_does(shelf: Shelf, work: Callable[[], Work]) -> None:
    data = data_of(shelf.manual)
    set_data(shelf.manual.pk, type(data)(**{**_fields(data), "title": "Picking"}), actor=shelf.owner, reason="r")
    assert converge_all() == Converged(seen=4, rewritten=3)
    assert all("Picking" in text or text.casefold() == "picking" for text in work().texts)
    assert found(shelf.employee, "picking") == {"manual@v2"}


def _fields(data: object) -> dict[str, object]:
    return {name: getattr(data, name) for name in data.__dataclass_fields__}  # type: ignore[attr-defined]


def test_a_rewritten_draft_embeds_only_what_changed(shelf: Shelf, work: Callable[[], Work]) -> None:
    text = "1. Prazos\nO prazo de separação é de nove horas úteis. Pedidos urgentes seguem outra regra.\n"
    rewrite(shelf.draft.pk, factories.content(text), actor=shelf.owner, reason="r")
    assert converge([shelf.draft.pk]) == Converged(seen=1, rewritten=1)
    sentences = [text for text in work().texts if text.startswith("Manual de operação > 1. Prazos: ")]
    assert len(sentences) == 1, "the sentence that stayed is read from the cache"
    assert "nove" in sentences[0]


def test_a_heading_that_moves_cuts_its_neighbours_again_and_embeds_only_what_reads_otherwise(
    shelf: Shelf, work: Callable[[], Work]
) -> None:
    before = ["1. Prazos", "O prazo é de seis horas.", "2. Custos", "O custo é do cliente.", "3. Fim", "Nada mais."]
    after = [*before[:1], *before[1:2], before[3], "2. Custos e multas", *before[4:]]
    rewrite(shelf.draft.pk, by_headings(before), actor=shelf.owner, reason="r")
    converge([shelf.draft.pk])
    old = list(shelf.draft.chunks.values_list("text_hash", flat=True))
    work()
    rewrite(shelf.draft.pk, by_headings(after), actor=shelf.owner, reason="r")
    assert converge([shelf.draft.pk]) == Converged(seen=1, rewritten=1)
    embedded = [text for text in work().texts if " > " in text]
    assert embedded
    assert not [text for text in embedded if "Nada mais" in text], "the section that stayed is read from the cache"
    assert list(shelf.draft.chunks.values_list("text_hash", flat=True)) != old
    assert check(active.engine(), active.version()) == []  # type: ignore[arg-type]


def by_headings(lines: list[str]) -> Content:
    """A text whose numbered lines are its headings."""
    text, sections, at = "\n".join(lines) + "\n", [], 0
    starts = []
    for line in lines:
        if line[0].isdigit():
            starts.append((at, line))
        at += len(line) + 1
    for number, (start, line) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        sections.append(SectionSpan(line, 1, (line,), f"secao-{number}", start, start + len(line) + 1, end))
    return Content("t.md", text.encode(), "text/markdown", Extraction(text, tuple(sections), extractor="tests"))


def test_a_chunk_that_is_not_its_text_is_cut_again(shelf: Shelf, work: Callable[[], Work]) -> None:
    shelf.new.chunks.update(text="outro texto")
    assert converge([shelf.new.pk]) == Converged(seen=1, rewritten=1)
    assert work().texts == [], "its right text was embedded before"
    assert found(shelf.employee) == {"manual@v2"}


def test_nothing_of_a_text_is_held_before_all_of_it_can_be_searched(shelf: Shelf) -> None:
    """Half of its vectors are missing: whoever compares or writes now holds none of it."""
    long = "1. Prazos\n" + "\n".join(f"O item {n} tem prazo de {n} dias úteis." for n in range(80)) + "\n"
    revision = factories.revision(shelf.manual, "v9", text=long)
    converge([revision.pk])
    version = active.version()
    assert version is not None
    Embedding.objects.filter(chunk=revision.chunks.first()).delete()
    write(active.engine(), version, [revision.pk])
    assert active.engine().held(version.pk, [revision.pk]) == {}
    converge([revision.pk])
    assert len(active.engine().held(version.pk, [revision.pk])) == revision.chunks.count() > 1


def test_the_same_text_elsewhere_is_not_embedded_again(shelf: Shelf, work: Callable[[], Work]) -> None:
    twin = factories.document(owner=shelf.owner, readers=["group:todos"], title=shelf.manual.title)
    revision = factories.revision(twin, state="published", start=JAN, text=shelf.new.text)
    converge([revision.pk])
    assert work().texts == []
    assert found(shelf.employee) == {"manual@v2", str(revision)}


def test_whoever_makes_the_same_vectors_keeps_them_in_the_same_order(work: Callable[[], Work]) -> None:
    """Two processes in different orders would each wait for a key that the other has written."""
    texts = [f"O prazo do item {n} é de dois dias." for n in range(10, 40)]
    cached_passages(texts, active.embedder())
    made = work().texts
    VectorCache.objects.all().delete()
    cached_passages(texts[::-1], active.embedder())
    assert work().texts == made != texts


def test_what_is_gone_leaves_the_index(shelf: Shelf) -> None:
    gone = shelf.draft.pk
    shelf.draft.delete()
    converge_one(gone)
    version = active.version()
    assert version is not None
    assert gone not in {held.revision_id for held in active.engine().held(version.pk).values()}
    converge_one(gone)
    converge_one(None)


def test_a_future_revision_takes_over_at_midnight_with_no_job(shelf: Shelf) -> None:
    Revision.objects.filter(pk=shelf.new.pk).update(validity=DateRange(shelf.new.validity.lower, NEXT, "[)"))
    factories.revision(shelf.manual, "v4", state="published", start=NEXT, text=shelf.draft.text)
    converge_all()
    eve = NEXT.replace(year=2026, month=12, day=31)
    assert found(shelf.employee, on=eve, today=eve) == {"manual@v2"}
    assert found(shelf.employee, on=NEXT, today=NEXT) == {"manual@v4"}


def test_an_index_grows_its_graph_and_statistics_as_it_grows(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: object
) -> None:
    """Two hundred revisions cost a fixed number of queries a batch, not some for each of them."""
    rows = [factories.revision(shelf.manual, f"d{n}", text=f"1. Item {n}\nO item {n} tem prazo.\n") for n in range(30)]
    converge([row.pk for row in rows])
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as few:
        converge([rows[0].pk])
    with CaptureQueriesContext(connection) as many:
        converge([row.pk for row in rows])
    assert len(many) == len(few)


def test_two_questions_of_one_index(shelf: Shelf) -> None:
    assert IndexVersion.objects.count() == 1
    assert found(shelf.employee, QUESTION) == found(shelf.employee, "quatro horas") == {"manual@v2"}
