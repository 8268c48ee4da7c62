"""Both chains are walked in the background; pages tell the last word to auditors, and walk nothing themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from chat import chain, recorder, verification
from chat.auditing import certificates
from chat.models import ChainCheck, EvidenceBlock, EvidenceRecord
from chat.rules import merkle
from chat.rules.certificate import check, holds, noted
from chat.rules.outcome import Outcome, Versions
from chat.rules.types import Status
from documents.models import Job
from documents.reader import reader_of
from governance import audit
from governance.models import AuditEvent, Verb
from tests import factories

pytestmark = pytest.mark.django_db
VERSIONS = Versions("r", "i", "p", "v", "t", "e", "g", "k", "w")
EVIDENCE, AUDIT = ChainCheck.Chain.EVIDENCE, ChainCheck.Chain.AUDIT


@pytest.fixture
def auditor() -> User:
    return factories.person("lucas", roles=["auditor"])


@pytest.fixture
def ana() -> User:
    return factories.person("ana")


def write(user: User, number: int = 1) -> list[EvidenceRecord]:
    reader = reader_of(user)
    return [
        recorder.record(
            Outcome(Status.NOT_FOUND, f"qual o prazo {n}?", f"qual o prazo {n}?", date(2026, 11, 30), "current"),
            VERSIONS,
            reader,
            (),
        )
        for n in range(number)
    ]


def change(user: User, number: int = 1) -> None:
    for n in range(number):
        audit.record(Verb.TERM_CHANGED, actor=user, target=f"glossary:{n}", before={}, after={}, reason="x")


@contextmanager
def tampering() -> Iterator[None]:
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        yield


def last(kind: ChainCheck.Chain) -> ChainCheck:
    return ChainCheck.objects.filter(chain=kind).exclude(finished_at=None).latest("pk")


def page(user: User, address: str = "/evidencias/") -> str:
    client = Client()
    client.force_login(user)
    response = client.get(address)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def test_whole_chains_hold_and_the_page_says_up_to_where(ana: User, auditor: User) -> None:
    assert "ainda não verificada" in page(auditor)
    write(ana, 3)
    change(ana, 2)
    verification.work(None)
    assert (last(EVIDENCE).reached, last(EVIDENCE).broken, last(EVIDENCE).noted) == (3, 0, chain.root())
    assert (last(AUDIT).reached, last(AUDIT).broken) == (2, 0)
    write(ana)
    told = page(auditor)
    assert told.count("cadeia íntegra") == 2
    assert "até o nº 3" in told
    assert "1 gravada desde então" in told
    assert last(EVIDENCE).noted in told
    for found in (page(auditor, "/painel/"), page(auditor, "/painel/cadeias.csv")):
        assert "cadeia íntegra" in found


def test_a_break_is_told_with_its_place(ana: User, auditor: User) -> None:
    records = write(ana, 4)
    change(ana, 3)
    verification.work(None)
    with tampering():
        EvidenceRecord.objects.filter(sequence=2).update(status="answered")
    with pgtrigger.ignore("governance.AuditEvent:audit_is_append_only"):
        AuditEvent.objects.filter(position=3).update(reason="another")
    assert page(auditor).count("cadeia íntegra") == 2, "a page tells the last walk, and walks nothing itself"
    verification.work(None)
    assert (last(EVIDENCE).broken, last(EVIDENCE).first_broken, last(EVIDENCE).noted) == (1, 2, "")
    assert (last(AUDIT).broken, last(AUDIT).first_broken) == (1, 3)
    told = page(auditor)
    assert told.count("cadeia quebrada") == 2
    assert f"/evidencias/{records[1].id}/" in told
    assert "cadeia quebrada" in page(auditor, "/painel/")


def test_a_trail_cut_short_or_written_anew_is_missed_by_what_was_noted(ana: User) -> None:
    change(ana, 3)
    verification.work(None)
    with pgtrigger.ignore("governance.AuditEvent:audit_is_append_only"):
        AuditEvent.objects.filter(position=3).delete()
    verification.work(None)
    assert (last(AUDIT).broken, last(AUDIT).first_broken) == (1, 3)


def test_an_interrupted_walk_goes_on_where_it_stopped(
    ana: User, auditor: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(ana, 5)
    monkeypatch.setattr(verification, "SAVED_EVERY", -1.0)
    monkeypatch.setattr(verification, "AT_A_TIME", -1.0)
    verification.work(None)
    running = ChainCheck.objects.get(chain=EVIDENCE)
    assert (running.reached, running.finished_at) == (1, None)
    assert Job.objects.filter(kind=verification.JOB, state="waiting").count() == 1, "it handed itself on"
    assert "Em verificação: 1 de 5" in page(auditor)
    Job.objects.all().delete()
    assert "Interrompida em 1 de 5" in page(auditor)
    with tampering():
        EvidenceRecord.objects.filter(sequence=1).update(status="answered")
    monkeypatch.setattr(verification, "AT_A_TIME", 300.0)
    verification.work(None)
    running.refresh_from_db()
    assert (running.reached, running.broken) == (5, 0), "what was looked at before is not looked at again"
    assert ChainCheck.objects.filter(chain=EVIDENCE).count() == 1
    verification.work(None)
    assert last(EVIDENCE).first_broken == 1


def test_an_auditor_asks_for_a_walk_once_and_nobody_else(
    ana: User, auditor: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    address = "/evidencias/cadeia/"
    client = Client()
    client.force_login(ana)
    assert (client.get(address).status_code, client.post(address).status_code) == (404, 404)
    client.force_login(auditor)
    assert client.post(address).status_code == 302
    assert client.post(address).status_code == 302
    assert Job.objects.filter(kind=verification.JOB).count() == 1
    assert "Aguardando" in client.get(address).content.decode()
    assert "data-follow" in client.get("/evidencias/").content.decode()


def grown(ana: User, number: int) -> EvidenceRecord:
    """A chain of `number` records; what is between the first and the last two has no more than its place and hash."""
    [first] = write(ana)
    rows = [
        EvidenceRecord(
            sequence=n,
            recorded_at=timezone.now(),
            status="not_found",
            on=date(2026, 11, 30),
            reader_key=first.reader_key,
            body={},
            previous_hash="0" * 64,
            hash=hashlib.sha256(str(n).encode()).hexdigest(),
        )
        for n in range(2, number - 1)
    ]
    EvidenceRecord.objects.bulk_create(rows)
    from chat.models import EvidenceHead

    EvidenceHead.objects.update(sequence=number - 2, hash=rows[-1].hash)
    return write(ana, 2)[0]


def test_a_certificate_reads_two_blocks_of_a_long_chain(ana: User) -> None:
    record = grown(ana, 3 * merkle.BLOCK + 7)
    assert holds(check(certificates.issue_whole(record), seal=certificates.seal)), "blocks are kept by the first one"
    assert EvidenceBlock.objects.count() == 3
    with CaptureQueriesContext(
        connection,
    ) as asked:
        made = certificates.issue_whole(record)
    read = [query["sql"] for query in asked if 'SELECT "chat_evidencerecord"."hash"' in query["sql"]]
    assert len(read) == 1, "the hashes of its own block, and no others"
    assert chain.root() == noted(size=made["chain"]["size"], root=made["chain"]["root"])
    early = EvidenceRecord.objects.get(sequence=1)
    place = chain.place(early)
    assert place is not None
    assert merkle.root_of(early.hash, 0, place.size, place.proof) == made["chain"]["root"]


def test_a_block_with_a_gap_certifies_nothing(ana: User) -> None:
    record = grown(ana, merkle.BLOCK + 7)
    with tampering():
        EvidenceRecord.objects.filter(sequence=9).delete()
    with pytest.raises(certificates.ChainBroken):
        certificates.issue_whole(record)


def test_what_is_kept_of_a_block_is_checked_with_it(ana: User) -> None:
    grown(ana, merkle.BLOCK + 7)
    before = sum(1 for _ in chain.verify())
    EvidenceBlock.objects.create(number=0, root="ab" * 32)
    told = [found for found in chain.verify() if found.sequence == merkle.BLOCK]
    assert sum(1 for _ in chain.verify()) == before + 1
    assert any("difere" in found.problem for found in told)
