"""The read side checks against the tables at every answer: an index that lags, or lies, quotes nothing it may not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.db.backends.postgresql.psycopg_any import DateRange

from documents import corpus
from documents.models import Channel, Chunk, Document, IndexEntry, Revision
from documents.payloads import Payloads
from documents.reader import reader_of
from documents.rules.text_terms import TextTerms
from documents.rules.types import Corpus
from documents.search import active
from documents.search.base import Filter, Query
from documents.search.converge import converge
from documents.search.entries import entries_of, indexable
from documents.search.postgres import FILTER_FIELDS
from documents.search.rebuild import reindex
from governance.actions import restore, retire
from governance.actions.access import set_owner, set_readers
from tests import factories
from tests.documents.search.corpus import JAN, JUN, NEXT, QUESTION, TODAY, Shelf, found, reasons

pytestmark = pytest.mark.django_db


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf().fill()
    converge(Revision.objects.values_list("pk", flat=True))
    return shelf


def every(shelf: Shelf) -> list[Revision]:
    return [shelf.old, shelf.new, shelf.secret, shelf.draft]


def test_each_passage_comes_with_the_decision_about_it(shelf: Shelf) -> None:
    assert reasons(shelf.employee, every(shelf)) == {
        "manual@v1": "superseded", "manual@v2": "eligible", "folha@v1": "no_permission", "manual@v3": "draft",
    }  # fmt: skip
    assert reasons(shelf.employee, every(shelf), on=JAN) == {
        "manual@v1": "eligible", "manual@v2": "not_yet_in_force", "folha@v1": "no_permission", "manual@v3": "draft",
    }  # fmt: skip
    assert reasons(shelf.hr, [shelf.secret]) == {"folha@v1": "eligible"}


CHANGES: dict[str, tuple[Callable[[Shelf], object], str]] = {
    "retired": (lambda s: retire(s.new.pk, actor=s.owner, reason="r", on=JUN), "retired"),
    "readers changed": (lambda s: set_readers(s.manual.pk, [], actor=s.owner, reason="r"), "no_permission"),
    "owner gone": (lambda s: set_owner(s.manual.pk, None, actor=s.owner, reason="r"), "no_owner"),
    "window ended": (
        lambda s: Revision.objects.filter(pk=s.new.pk).update(validity=DateRange(JUN, TODAY, "[)")), "expired",
    ),
    "window moved": (
        lambda s: Revision.objects.filter(pk=s.new.pk).update(validity=DateRange(TODAY + timedelta(1), None, "[)")),
        "not_yet_in_force",
    ),
    "unit scope": (lambda s: Document.objects.filter(pk=s.manual.pk).update(scope_units=["POA"]), "out_of_scope"),
    "jurisdiction": (
        lambda s: Document.objects.filter(pk=s.manual.pk).update(scope_jurisdictions=["BR-RS"]), "other_jurisdiction",
    ),
    "person gone": (lambda s: _deactivate(s.employee), "no_permission"),
    "group deleted": (lambda s: Group.objects.filter(name="todos").delete(), "no_permission"),
}  # fmt: skip


def _deactivate(person: User) -> None:
    person.is_active = False
    person.save()


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_counts_at_once_and_the_index_need_not_know(shelf: Shelf, name: str) -> None:
    """No job has run: the index still holds what it held."""
    before = list(IndexEntry.objects.order_by("pk").values_list("pk", *FILTER_FIELDS))
    assert reasons(shelf.employee, [shelf.new]) == {"manual@v2": "eligible"}
    change, reason = CHANGES[name]
    change(shelf)
    assert reasons(shelf.employee, [shelf.new]) == {"manual@v2": reason}
    assert list(IndexEntry.objects.order_by("pk").values_list("pk", *FILTER_FIELDS)) == before


def test_what_comes_back_counts_once_the_index_holds_all_of_it(shelf: Shelf) -> None:
    retire(shelf.new.pk, actor=shelf.owner, reason="r", on=JUN)
    restore(shelf.new.pk, actor=shelf.owner, reason="r")
    assert reasons(shelf.employee, [shelf.new]) == {"manual@v2": "index_stale"}
    converge([shelf.new.pk])
    assert reasons(shelf.employee, [shelf.new]) == {"manual@v2": "eligible"}


def test_a_retirement_that_is_taken_back_before_its_day_changes_nothing(shelf: Shelf) -> None:
    retire(shelf.new.pk, actor=shelf.owner, reason="r", on=NEXT)
    restore(shelf.new.pk, actor=shelf.owner, reason="r")
    assert reasons(shelf.employee, [shelf.new]) == {"manual@v2": "eligible"}


def test_membership_needs_no_index_at_all(shelf: Shelf) -> None:
    assert found(shelf.employee) == {"manual@v2"}
    shelf.employee.groups.add(Group.objects.get(name="rh"))
    assert found(shelf.employee) == {"manual@v2", "folha@v1"}
    assert reasons(shelf.employee, [shelf.secret]) == {"folha@v1": "eligible"}
    shelf.employee.groups.clear()
    assert found(shelf.employee) == {"manual@v2"}


def test_an_index_that_lies_leaks_nothing(shelf: Shelf) -> None:
    """Every entry claims the employee's audience, an open window and an owner, in both halves of the engine."""
    version = active.version()
    assert version is not None
    key = shelf.manual.audience_key
    lies = {"audience": key, "valid_from": 0, "valid_until": 10**6, "standing": "open", "owned": True}
    IndexEntry.objects.update(**lies)
    engine = active.engine()
    entries = entries_of(list(indexable()), version)
    engine.refilter(version.pk, [replace(entry, **lies) for entry in entries])
    assert found(shelf.employee) == {"manual@v1", "manual@v2", "manual@v3", "folha@v1"}, "the lie is believed"
    query = Query(QUESTION, active.embedder().query(QUESTION))
    reader = reader_of(shelf.employee)
    asked = Filter(corpus.audiences(reader), TODAY, TODAY, reader.reads_history, Corpus.OFFICIAL)
    lists = active.engine().search(version.pk, query, [asked], 50)[0]
    ids = [hit.chunk_id for hit in lists.lexical]
    loaded = corpus.load(version, ids, reader, TODAY, TODAY)
    assert [one.passage.chunk_id for one in loaded] == ids
    assert [str(one.reason) for one in loaded if one.passage.revision_id == str(shelf.new.pk)] == ["eligible"]
    assert {one.passage.revision_id for one in loaded if one.reason == "eligible"} == {str(shelf.new.pk)}


def test_what_the_tables_no_longer_have_is_left_out(shelf: Shelf) -> None:
    chunk = shelf.draft.chunks.get().pk
    shelf.draft.delete()
    version = corpus.index_version()
    assert corpus.load(version, [chunk, 10**9], reader_of(shelf.owner), TODAY, TODAY) == []


def test_passages_keep_the_order_asked_for_and_quote_their_revision(shelf: Shelf) -> None:
    ids = list(Chunk.objects.order_by("-pk").values_list("pk", flat=True))
    loaded = corpus.load(corpus.index_version(), ids, reader_of(shelf.hr), TODAY, TODAY)
    assert [one.passage.chunk_id for one in loaded] == ids
    for one in loaded:
        passage = one.passage
        revision = Revision.objects.get(pk=passage.revision_id)
        assert revision.text[passage.start : passage.end] == passage.text
        assert [passage.text[a:b] for a, b in passage.sentences]
        assert one.sentence_vectors.shape == (len(passage.sentences), one.vector.shape[0])
    assert corpus.still_linked([one.passage for one in loaded])


def test_a_broken_link_between_passage_and_revision_is_seen(shelf: Shelf) -> None:
    chunk = shelf.draft.chunks.get()
    loaded = corpus.load(corpus.index_version(), [chunk.pk], reader_of(shelf.owner), TODAY, TODAY)
    passages = [one.passage for one in loaded]
    assert corpus.still_linked(passages)
    Revision.objects.filter(pk=shelf.draft.pk).update(text="outro texto")
    assert not corpus.still_linked(passages)
    shelf.draft.delete()
    assert not corpus.still_linked(passages)
    assert corpus.still_linked([])


def test_loading_costs_a_fixed_number_of_queries(shelf: Shelf, django_assert_num_queries: Callable) -> None:
    reader, version = reader_of(shelf.employee), corpus.index_version()
    ids = list(Chunk.objects.values_list("pk", flat=True))
    for part in (ids[:1], ids):
        with django_assert_num_queries(1):  # and one in binary, which is not counted, for what memory lacks
            corpus.load(version, part, reader, TODAY, TODAY)


def test_where_to_ask_is_the_areas_channel_or_else_the_default() -> None:
    area = factories.area("rh")
    assert corpus.channel("rh") is None
    default = Channel.objects.create(label="Atendimento", url="https://a.example/")
    own = Channel.objects.create(label="RH", url="https://rh.example/", area=area)
    assert [corpus.channel(slug) for slug in ("rh", "ti", None)] == [own, default, default]


def test_a_date_before_every_text_finds_nothing(shelf: Shelf) -> None:
    assert found(shelf.employee, on=date(1900, 1, 1)) == set()


@pytest.mark.parametrize("kept", [None, ["terms-0", "", "antiga"]])
def test_terms_that_are_missing_or_of_another_version_are_worked_out_and_a_rebuild_keeps_them(
    shelf: Shelf, kept: list[str] | None
) -> None:
    version, chunks = corpus.index_version(), Chunk.objects.filter(revision=shelf.new)
    ids, now = list(chunks.values_list("pk", flat=True)), dict(chunks.values_list("pk", "terms"))

    def terms() -> list[TextTerms]:
        corpus._payloads = Payloads()
        return [one.terms for one in corpus.load(version, ids, reader_of(shelf.employee), TODAY, TODAY)]

    before = terms()
    assert all(one.surfaces for one in before)
    chunks.update(terms=kept)
    assert terms() == before
    reindex()
    assert dict(chunks.values_list("pk", "terms")) == now
