"""A publication that was written in part: nothing of it is answered from until all of it is there, on both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import override_settings

from documents import corpus
from documents.models import Document, IndexVersion, Revision
from documents.reader import reader_of
from documents.rules.types import Corpus, Reason
from documents.search import active
from documents.search.base import EngineUnavailable, Entry, Filter, Query
from documents.search.converge import converge, write
from documents.search.elasticsearch import Engine as ElasticsearchEngine
from documents.search.postgres import Engine as EmbeddedEngine
from documents.search.rebuild import reindex, rollback
from governance.actions import publish, restore, retire
from tests import factories
from tests.documents.search.corpus import QUESTION, TODAY, Shelf
from tests.documents.search.nodes import elasticsearch_url  # noqa: F401

pytestmark = pytest.mark.django_db

LONG = "1. Prazos\n" + "\n".join(
    f"O prazo de separação do item {n} é de {n} dias úteis, sem exceção." for n in range(80)
)
EMBEDDED: dict[str, object] = {"BACKEND": "documents.search.postgres.Engine"}


@pytest.fixture(params=["postgres", pytest.param("elasticsearch", marks=pytest.mark.slow)])
def shelf(request: pytest.FixtureRequest) -> Iterator[Shelf]:
    """Everything is in the index; the draft is a text of many passages."""
    part: dict[str, object] = EMBEDDED
    if request.param == "elasticsearch":
        url = request.getfixturevalue("elasticsearch_url")
        options = {"hosts": [url], "prefix": f"whole-{uuid4().hex[:8]}"}
        part = {"BACKEND": "documents.search.elasticsearch.Engine", "OPTIONS": options}
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"engine": part}):
        shelf = Shelf().fill()
        shelf.draft.delete()
        shelf.draft = factories.revision(
            shelf.manual, "v3", state="approved", approver=factories.person(areas=["operacoes"]), text=LONG
        )
        everything()
        assert shelf.draft.chunks.count() > 2
        yield shelf
        for pk in IndexVersion.objects.values_list("pk", flat=True):
            active.engine().drop(pk)


def everything() -> None:
    converge(Revision.objects.values_list("pk", flat=True))


class InPart:
    """Of every write the first half of its passages is done and seen, and then the engine is gone."""

    def put(self, version: int, entries: Sequence[Entry], revisions: Iterable[int]) -> None:
        super().put(version, entries[: len(entries) // 2], revisions)  # type: ignore[misc]
        raise EngineUnavailable("killed in the middle")

    def refilter(self, version: int, entries: Sequence[Entry]) -> None:
        super().refilter(version, entries[: len(entries) // 2])  # type: ignore[misc]
        raise EngineUnavailable("killed in the middle")


class PostgresInPart(InPart, EmbeddedEngine):
    pass


class ElasticsearchInPart(InPart, ElasticsearchEngine):
    pass


class Hasty(EmbeddedEngine):
    """While a draft is written to the index, somebody publishes it."""

    def put(self, version: int, entries: Sequence[Entry], revisions: Iterable[int]) -> None:
        super().put(version, entries, revisions)
        publish(entries[0].revision_id, actor=Document.objects.get(code="manual").owner, reason="r", on=TODAY)


@contextmanager
def engine_of(name: str) -> Iterator[None]:
    part = settings.KB_BACKENDS["engine"] | {"BACKEND": f"{__name__}.{name}"}
    with override_settings(KB_BACKENDS=settings.KB_BACKENDS | {"engine": part}):
        yield


def shares(shelf: Shelf, revision: Revision) -> tuple[float, float]:
    """Which share of the text's passages the engine shows, and which share of them is answered from."""
    version, reader = corpus.index_version(), reader_of(shelf.employee)
    query = Query(QUESTION, active.embedder_of(version).query(QUESTION))
    asked = Filter(corpus.audiences(reader), TODAY, TODAY, False, Corpus.OFFICIAL)
    [lists] = active.engine().search(version.pk, query, [asked], 500)
    shown = {hit.chunk_id for hit in (*lists.lexical, *lists.vector)}
    loaded = corpus.load(version, sorted(shown), reader, TODAY, TODAY)
    said = {one.passage.chunk_id for one in loaded if one.reason is Reason.ELIGIBLE}
    own = set(revision.chunks.values_list("pk", flat=True))
    return len(own & shown) / len(own), len(own & said) / len(own)


def in_part(act: Callable[[], object]) -> None:
    with engine_of(f"{active.engine().name.capitalize()}InPart"), pytest.raises(EngineUnavailable):
        act()


def assert_partly_shown_and_not_said(shelf: Shelf) -> None:
    shown, said = shares(shelf, shelf.draft)
    assert 0 < shown < 1, "part of it is there to be found"
    assert said == 0
    everything()
    assert shares(shelf, shelf.draft) == (1, 1)


def published(shelf: Shelf) -> None:
    publish(shelf.draft.pk, actor=shelf.owner, reason="r", on=TODAY)


def test_a_publication(shelf: Shelf) -> None:
    published(shelf)
    in_part(lambda: converge([shelf.draft.pk]))
    assert_partly_shown_and_not_said(shelf)


def test_a_restoration(shelf: Shelf) -> None:
    published(shelf)
    everything()
    retire(shelf.draft.pk, actor=shelf.owner, reason="r", on=TODAY)
    everything()
    assert shares(shelf, shelf.draft) == (0, 0)
    restore(shelf.draft.pk, actor=shelf.owner, reason="r")
    in_part(lambda: converge([shelf.draft.pk]))
    assert_partly_shown_and_not_said(shelf)


def test_a_rollback_to_a_version_that_lacks_it(shelf: Shelf) -> None:
    reindex()
    published(shelf)
    everything()
    in_part(rollback)
    assert_partly_shown_and_not_said(shelf)


def test_a_rebuild_does_not_tell_for_the_index_in_use(shelf: Shelf) -> None:
    """The version beside holds all of it, and nobody answers from that one before the switch."""
    published(shelf)
    in_part(lambda: converge([shelf.draft.pk]))
    version = active.make(active.engine(), active.embedder())
    write(active.engine(), version, [shelf.draft.pk], answering=False)
    assert_partly_shown_and_not_said(shelf)


def test_a_text_that_is_published_while_its_draft_is_written() -> None:
    """What was written is the draft: that the published text is there, its own job says."""
    shelf = Shelf().fill()
    everything()
    approver = factories.person(areas=["operacoes"])
    late = factories.revision(shelf.manual, "v4", state="approved", approver=approver, text=LONG)
    with engine_of("Hasty"):
        converge([late.pk])
    late.refresh_from_db()
    assert (late.state, late.published_at) == ("published", None)
    everything()
    late.refresh_from_db()
    assert late.published_at is not None
