"""The rows that say who stands behind an audience key: there for every document, and mended when they are not."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from documents.access import audiences_of, unkept
from documents.corpus import audiences
from documents.models import Audience, Document
from documents.reader import reader_of
from documents.search import active
from documents.search.check import AUDIENCE, check
from documents.search.repair import repair
from tests import factories

pytestmark = pytest.mark.django_db
READERS: tuple[list[str], ...] = ([], ["group:todos"], ["user:ana", "area:rh", "unit:POA", "group:lideranca"])


def shelf() -> list[Document]:
    factories.area("rh")
    factories.unit("POA")
    factories.person("ana")
    for name in ("todos", "lideranca"):
        factories.group(name)
    return [
        factories.document(f"d-{number}", readers=readers, classification=classification, scope_units=units)
        for number, (readers, classification, units) in enumerate(
            (readers, classification, units)
            for readers in READERS
            for classification in ("internal", "restricted")
            for units in ([], ["POA"])
        )
    ]


def test_the_first_rows_are_made_of_documents_that_are_there() -> None:
    documents = shelf()
    Audience.objects.all().delete()
    with connection.schema_editor() as editor:
        import_module("documents.migrations.0008_audiences").fill(apps, editor)
    made = audiences_of(documents).values()
    assert unkept(made) == []
    assert set(Audience.objects.values_list("key", flat=True)) == {audience.key for audience in made}


@pytest.mark.parametrize("harm", ["gone", "people", "classification"])
def test_a_row_that_is_gone_or_says_something_else_is_found_and_mended(harm: str) -> None:
    documents = shelf()
    version = active.first(active.engine(), active.embedder())
    assert check(active.engine(), version) == []
    rows = Audience.objects.filter(key=documents[1].audience_key)
    if harm == "gone":
        rows.delete()
    else:
        rows.update(**{harm: [factories.person("intruso").pk] if harm == "people" else "no such"})
    drifts = check(active.engine(), version)
    assert {(drift.kind, drift.document) for drift in drifts} == {(AUDIENCE, documents[1].code)}
    repair(active.engine(), drifts)
    assert check(active.engine(), version) == []


def test_a_key_that_no_document_has_stands_for_nothing() -> None:
    ana = reader_of(factories.person("ana"))
    document = factories.document("one", readers=["user:ana"])
    assert audiences(ana) == {document.audience_key}
    document.delete()
    assert Audience.objects.exists()
    assert audiences(ana) == frozenset()
