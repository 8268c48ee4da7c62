"""An index that allows everything to everybody leaks nothing: the tables decide again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from chat.candidates import Asked
from documents.access import audiences_of
from documents.models import Document, IndexVersion, Revision
from documents.reader import reader_of
from documents.rules.types import Corpus
from documents.search import active
from documents.search.base import FOREVER, Query
from documents.search.entries import entries_of, indexable
from tests import factories
from tests.chat import portal
from tests.chat.portal import ask, published
from tests.days import today

pytestmark = pytest.mark.django_db
SECRET = "sete segredos guardados"
QUESTION = "quantos segredos guardados tem o cofre?"
TEXT = f"1. Cofre\nO cofre tem {SECRET} na gaveta.\n"


def lie() -> None:
    """Both halves of the index say of every passage that it is in force, owned, and for the readers of `aberto`."""
    version = IndexVersion.objects.get(state="active")
    audience = Document.objects.get(code="aberto").audience_key
    entries = [
        replace(e, audience=audience, valid_from=-100_000, valid_until=FOREVER, standing="open", owned=True)
        for e in entries_of(list(indexable()), version)
    ]
    active.engine().put(version.pk, entries, [entry.revision_id for entry in entries])


HIDDEN: dict[str, dict[str, Any]] = {
    "no_permission": {"readers": ["group:outros"]},
    "restricted": {"readers": ["area:operacoes"], "classification": "restricted"},
    "out_of_scope": {"scope_units": ["POA"]},
    "other_jurisdiction": {"scope_jurisdictions": ["BR-RS"]},
    "no_owner": {"owner": None},
    "not_yet_in_force": {"start": date(2999, 1, 1)},
    "expired": {"until": date(2025, 6, 1)},
}
STATES = ("draft", "in_review", "approved", "retired")


@pytest.mark.parametrize("kind", [*HIDDEN, *STATES])
@pytest.mark.parametrize("offering", [False, True])
def test_what_the_tables_do_not_allow_stays_hidden(kind: str, offering: bool) -> None:
    cache.clear()
    factories.group("outros")
    ana: User = factories.person("ana", areas=["operacoes"], units=["CD-SP"], roles=["auditor"])
    published("aberto", portal.PICKING)
    if kind in STATES:
        owner = factories.person()
        document = factories.document("cofre", owner=owner, readers=["group:todos"])
        ended = {"start": date(2025, 1, 1), "retired_on": today()} if kind == "retired" else {}
        portal.revise(document, "v1", TEXT, state=kind, **ended)
    else:
        document = published("cofre", TEXT, **HIDDEN[kind])
    lie()
    if offering:
        portal.only_offers()
    revision = Revision.objects.get(document=document)
    assert offered_by_the_index(ana, revision), "the index was to lie"

    answer = ask(ana, QUESTION, with_trace=True)
    assert SECRET not in str(answer)
    assert "cofre" not in portal.sources(answer)
    [told] = [row["reason"] for row in answer["trace"]["excluded"] if row["document"] == "cofre"]
    expected = {"restricted": "no_permission", "in_review": "draft", "approved": "draft"}
    assert told == expected.get(kind, kind)


def offered_by_the_index(person: User, revision: Revision) -> bool:
    """Whether the engine ranks the passage for this reader, in the lexical list and in that of vectors."""
    version = IndexVersion.objects.get(state="active")
    audience = Document.objects.get(code="aberto").audience_key
    asked = Asked(reader_of(person), frozenset({audience}), today(), today())
    [filter_] = [f for f in asked.filters() if f.corpus is Corpus.OFFICIAL]
    vector = active.embedder().query(QUESTION)
    [lists] = active.engine().search(version.pk, Query(QUESTION, vector), [filter_], 10)
    chunk = revision.chunks.get().pk
    return chunk in {hit.chunk_id for hit in lists.lexical} and chunk in {hit.chunk_id for hit in lists.vector}


def test_an_index_that_answers_with_rows_of_nowhere_is_ignored() -> None:
    ana = factories.person("ana")
    document = published("aberto", portal.PICKING)
    secret = published("cofre", TEXT, readers=[])
    key = audiences_of([document])[document.pk].key
    assert key != secret.audience_key
    lie()
    secret.revisions.get().chunks.all().delete()
    answer = ask(ana, QUESTION)
    assert SECRET not in str(answer)
