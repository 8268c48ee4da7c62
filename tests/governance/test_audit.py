"""The audit trail: one writer, append-only in the database, and a chain that shows any tampering."""

from __future__ import annotations

import contextlib
import json
from io import StringIO

import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from documents.models import ReaderIdentity
from governance import audit
from governance.models import AuditEvent, Verb
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def trail() -> list[AuditEvent]:
    actor = factories.person("ana")
    return [
        audit.record(
            Verb.DOCUMENT_CHANGED, actor=actor, target="doc", before={"n": n}, after={"n": n + 1}, reason="naïve ‘é’"
        )
        for n in range(4)
    ]


def test_each_event_carries_the_hash_of_the_one_before(trail: list[AuditEvent]) -> None:
    assert [event.position for event in trail] == [1, 2, 3, 4]
    assert [event.previous for event in trail] == ["", *(event.hash for event in trail[:-1])]
    assert audit.verify() == audit.ChainReport(4, end=f"4:{trail[3].hash}")


def test_what_is_recorded_together_is_appended_at_the_end_and_what_failed_is_not(trail: list[AuditEvent]) -> None:
    actor = factories.person("bia")

    def note(target: str) -> None:
        audit.record(Verb.DOCUMENT_CHANGED, actor=actor, target=target, before={}, after={}, reason="r")

    with transaction.atomic(), audit.together():
        note("a")
        with contextlib.suppress(ZeroDivisionError), transaction.atomic(), audit.together():
            note("lost")
            raise ZeroDivisionError
        with transaction.atomic(), audit.together():
            note("b")
        assert AuditEvent.objects.count() == len(trail)
    with contextlib.suppress(ZeroDivisionError), transaction.atomic(), audit.together():
        note("lost too")
        raise ZeroDivisionError
    note("c")

    assert list(AuditEvent.objects.filter(position__gt=4).order_by("position").values_list("target", flat=True)) == [
        "a", "b", "c",
    ]  # fmt: skip
    assert audit.verify().holds


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE governance_auditevent SET reason='another'",
        "DELETE FROM governance_auditevent",
        "TRUNCATE governance_auditevent",
    ],
)
def test_the_database_lets_nobody_rewrite_it(trail: list[AuditEvent], sql: str) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)
    assert AuditEvent.objects.count() == len(trail)


@pytest.mark.parametrize(
    ("sql", "position", "why"),
    [
        ("UPDATE governance_auditevent SET reason='another' WHERE position=2", 2, "altered"),
        ("UPDATE governance_auditevent SET after='{\"n\": 9}' WHERE position=3", 3, "altered"),
        ("UPDATE governance_auditevent SET at=at + interval '1 second' WHERE position=1", 1, "altered"),
        ("DELETE FROM governance_auditevent WHERE position=2", 2, "missing"),
        ("UPDATE governance_auditevent SET previous='' WHERE position=4", 4, "unchained"),
    ],
)
def test_what_an_administrator_of_the_database_does_shows(
    trail: list[AuditEvent], sql: str, position: int, why: str
) -> None:
    with pgtrigger.ignore("governance.AuditEvent:audit_is_append_only"), connection.cursor() as cursor:
        cursor.execute(sql)
    report = audit.verify()
    assert (report.broken_at, report.why, report.holds) == (position, why, False)


def test_an_event_needs_a_reason(trail: list[AuditEvent]) -> None:
    with pytest.raises(DatabaseError, match="has_a_reason"), transaction.atomic():
        audit.record(Verb.TASK_DONE, actor=User.objects.get(username="ana"), target="t", before={}, after={}, reason="")


def test_a_person_can_be_forgotten_and_the_chain_holds(trail: list[AuditEvent]) -> None:
    ana = User.objects.get(username="ana")
    assert str(trail[0].actor) == str(ana.reader_identity.key)
    ReaderIdentity.objects.filter(user=ana).delete()
    assert audit.verify().holds


@pytest.mark.django_db(transaction=True)
def test_no_event_outside_the_transaction_of_its_change() -> None:
    with pytest.raises(transaction.TransactionManagementError):
        audit.record(Verb.TASK_DONE, actor=factories.person(), target="t", before={}, after={}, reason="r")


def test_the_command_exits_with_one_where_the_chain_breaks(trail: list[AuditEvent]) -> None:
    out, err = StringIO(), StringIO()
    call_command("verify_audit", "--json", stdout=out)
    told = {"events": 4, "holds": True, "broken_at": None, "why": "", "end": f"4:{trail[3].hash}"}
    assert json.loads(out.getvalue()) == told
    with pgtrigger.ignore("governance.AuditEvent:audit_is_append_only"):
        AuditEvent.objects.filter(position=3).update(target="another")
    with pytest.raises(SystemExit) as caught:
        call_command("verify_audit", stderr=err)
    assert caught.value.code == 1
    assert "3" in err.getvalue()


def test_an_end_that_was_noted_shows_what_was_cut_off_or_written_anew(trail: list[AuditEvent]) -> None:
    """The rest of the chain then fits, so nothing inside the portal tells."""
    end = audit.verify().end
    number, digest = end.split(":")
    noted = (int(number), digest)
    assert audit.verify(noted).holds
    audit.record(Verb.DOCUMENT_CHANGED, actor=User.objects.get(), target="doc", before={}, after={}, reason="more")
    assert audit.verify(noted).holds
    with pgtrigger.ignore("governance.AuditEvent:audit_is_append_only"):
        AuditEvent.objects.filter(position__gte=3).delete()
    assert audit.verify().holds
    assert (audit.verify(noted).broken_at, audit.verify(noted).why) == (3, "missing")
    for _number in range(2):
        audit.record(Verb.DOCUMENT_CHANGED, actor=User.objects.get(), target="doc", before={}, after={}, reason="other")
    assert audit.verify().holds
    assert (audit.verify(noted).broken_at, audit.verify(noted).why) == (4, "rewritten")
    with pytest.raises(SystemExit) as stopped:
        call_command("verify_audit", "--noted", end, stderr=StringIO())
    assert stopped.value.code == 1
    for wrong in ("x", "0:" + digest, f"4:{digest[:-1]}"):
        with pytest.raises(CommandError):
            call_command("verify_audit", "--noted", wrong)
