"""What is quoted is looked up in the tables, whatever the pipeline says of it."""

from __future__ import annotations

from datetime import date

import pytest

from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.types import Reader
from evaluation.systems.places import Quoted, unsupported
from tests import factories

TODAY = date(2026, 11, 30)
QUOTE = "quatro horas úteis"
pytestmark = pytest.mark.django_db


@pytest.fixture
def document() -> Document:
    return factories.document("ops", owner=factories.person(), readers=["group:todos"])


@pytest.fixture
def revision(document: Document) -> Revision:
    return factories.revision(document, state="published", start=date(2026, 1, 1))


@pytest.fixture
def reader() -> Reader:
    return reader_of(factories.person())


def quoted(revision: Revision, quote: str = QUOTE, move: int = 0) -> Quoted:
    start = revision.text.index(QUOTE) + move
    return Quoted(revision.pk, start, start + len(quote), quote)


def test_a_literal_quote_of_a_text_in_force_is_support(revision: Revision, reader: Reader):
    assert unsupported([[quoted(revision)], [quoted(revision), quoted(revision)]], reader, TODAY, TODAY) == 0


def test_a_claim_without_a_quote_is_not_supported(reader: Reader):
    assert unsupported([[]], reader, TODAY, TODAY) == 1


def test_a_quote_must_stand_at_its_place_to_the_letter(revision: Revision, reader: Reader):
    claims = [
        [quoted(revision, "quatro horas uteis")],
        [quoted(revision, move=1)],
        [quoted(revision, "")],
        [quoted(revision), quoted(revision, "outra coisa")],
    ]

    assert unsupported(claims, reader, TODAY, TODAY) == 4


def test_a_text_that_the_person_may_not_read_supports_nothing(revision: Revision, reader: Reader):
    Document.objects.get().group_grants.all().delete()

    assert unsupported([[quoted(revision)]], reader, TODAY, TODAY) == 1


def test_a_text_not_in_force_on_the_day_supports_nothing(revision: Revision, reader: Reader):
    assert unsupported([[quoted(revision)]], reader, date(2025, 12, 31), TODAY) == 1


def test_a_draft_supports_nothing(document: Document, reader: Reader):
    assert unsupported([[quoted(factories.revision(document))]], reader, TODAY, TODAY) == 1
