"""What the database itself refuses, whoever asks: every case goes straight to the tables."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import Permission
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from documents.models import Document, DocumentUserGrant, Revision, Section
from tests import factories

pytestmark = pytest.mark.django_db
JAN, MAR, JUN, DEC = date(2026, 1, 1), date(2026, 3, 1), date(2026, 6, 1), date(2026, 12, 1)


def refused(sql: str, *parameters: object) -> str:
    """The database's words on why it did not run `sql`."""
    with pytest.raises(DatabaseError) as caught, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, parameters)
    return str(caught.value)


def publish_directly(document: Document, start: date, until: date | None = None) -> Revision:
    return factories.revision(document, state="published", start=start, until=until)


def test_two_published_windows_of_one_document_never_share_a_day() -> None:
    document = factories.document()
    publish_directly(document, JAN, JUN)
    with pytest.raises(IntegrityError, match="no_overlap_in_force"), transaction.atomic():
        publish_directly(document, MAR)
    publish_directly(document, JUN)
    publish_directly(factories.document(), MAR)


def test_a_retirement_makes_room_from_its_day_on() -> None:
    document = factories.document()
    factories.revision(document, state="retired", start=JAN, retired_on=MAR)
    publish_directly(document, MAR)
    with pytest.raises(IntegrityError, match="no_overlap_in_force"), transaction.atomic():
        factories.revision(document, state="retired", start=date(2025, 1, 1), retired_on=JUN)


@pytest.mark.parametrize(
    ("start", "until", "retired_on", "expected"),
    [
        (JAN, None, None, (JAN, None)),
        (JAN, JUN, None, (JAN, JUN)),
        (JAN, None, MAR, (JAN, MAR)),
        (JAN, JUN, MAR, (JAN, MAR)),
        (JAN, MAR, JUN, (JAN, MAR)),
        (MAR, None, JAN, None),
        (MAR, None, MAR, None),
    ],
)
def test_in_force_follows_from_the_dates(
    start: date, until: date | None, retired_on: date | None, expected: tuple[date, date | None] | None
) -> None:
    state = "retired" if retired_on else "published"
    row = factories.revision(factories.document(), state=state, start=start, until=until, retired_on=retired_on)
    row.refresh_from_db()
    assert ((row.in_force.lower, row.in_force.upper) if not row.in_force.isempty else None) == expected


def test_one_review_is_open_at_a_time() -> None:
    document = factories.document()
    factories.revision(document, state="in_review")
    with pytest.raises(IntegrityError, match="one_open_review"), transaction.atomic():
        factories.revision(document, state="in_review")


def test_the_approver_is_never_the_author() -> None:
    author = factories.person()
    row = factories.revision(factories.document(), state="in_review", author=author)
    sql = "UPDATE documents_revision SET state='approved', approved_by_id=%s, approved_hash=content_hash WHERE id=%s"
    assert "approver_is_not_author" in refused(sql, author.pk, row.pk)


@pytest.mark.parametrize("state", ["approved", "published", "retired"])
def test_no_decided_state_without_an_approval_of_this_very_content(state: str) -> None:
    row = factories.revision(factories.document(), state="in_review", start=JAN)
    day = JAN if state == "retired" else None
    sql = "UPDATE documents_revision SET state=%s, retired_on=%s WHERE id=%s"
    assert "approved_hash" in refused(sql, state, day, row.pk)
    other = factories.person()
    sql = (
        "UPDATE documents_revision SET state=%s, retired_on=%s, approved_by_id=%s, approved_hash='another' WHERE id=%s"
    )
    assert "approved_hash" in refused(sql, state, day, other.pk, row.pk)


@pytest.mark.parametrize("validity", [None, DateRange(None, JUN, "[)"), DateRange(empty=True)])
def test_a_published_revision_has_a_first_day(validity: DateRange | None) -> None:
    row = publish_directly(factories.document(), JAN)
    assert "published_has_a_start" in refused("UPDATE documents_revision SET validity=%s WHERE id=%s", validity, row.pk)


def test_a_day_of_retirement_belongs_to_the_retired_alone() -> None:
    row = publish_directly(factories.document(), JAN)
    assert "retired_has_a_day" in refused("UPDATE documents_revision SET state='retired' WHERE id=%s", row.pk)
    assert "retired_has_a_day" in refused("UPDATE documents_revision SET retired_on=%s WHERE id=%s", JUN, row.pk)


@pytest.mark.parametrize("column", ["text", "text_hash", "content_hash", "label", "file", "media_type"])
@pytest.mark.parametrize("state", ["in_review", "approved", "published"])
def test_the_text_is_immutable_once_submitted(state: str, column: str) -> None:
    row = factories.revision(factories.document(), state=state, start=JAN)
    assert "Cannot update" in refused(f"UPDATE documents_revision SET {column}='changed' WHERE id=%s", row.pk)


def test_the_text_of_a_draft_may_change() -> None:
    row = factories.revision(factories.document())
    Revision.objects.filter(pk=row.pk).update(text="changed")
    row.refresh_from_db()
    assert row.text == "changed"


def test_what_left_the_draft_is_kept() -> None:
    draft, sent = factories.revision(factories.document()), factories.revision(factories.document(), state="in_review")
    Section.objects.filter(revision=sent).delete()
    assert "Cannot delete" in refused("DELETE FROM documents_revision WHERE id=%s", sent.pk)
    draft.delete()


def test_a_code_never_changes() -> None:
    document = factories.document()
    assert "Cannot update" in refused("UPDATE documents_document SET code='another' WHERE id=%s", document.pk)


def test_every_change_of_a_document_is_in_its_history() -> None:
    document = factories.document()
    Document.objects.filter(pk=document.pk).update(title="Outro título")
    with connection.cursor() as cursor:
        cursor.execute("SELECT title FROM documents_documentevent WHERE pgh_obj_id=%s ORDER BY pgh_id", [document.pk])
        assert [row[0] for row in cursor.fetchall()] == [document.title, "Outro título"]


def test_deleting_a_document_deletes_its_grants() -> None:
    document = factories.document(readers=[f"user:{factories.person().username}"])
    assert DocumentUserGrant.objects.filter(permission=Permission.objects.get(codename="read_document")).count() == 1
    document.delete()
    assert not DocumentUserGrant.objects.exists()
