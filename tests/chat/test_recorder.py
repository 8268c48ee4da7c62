"""The evidence: written before anything is shown, never changed, without a person in it, tampering found out."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

import pgtrigger
import pytest
from django.contrib.auth.models import User
from django.db import Error, IntegrityError, connection, connections, transaction
from django.utils import translation

from chat import chain, recorder, services
from chat.models import Conversation, EvidenceHead, EvidenceQuestion, EvidenceRecord
from chat.rules import evidence
from chat.rules.outcome import Outcome, Versions
from chat.rules.types import DraftClaim, Search, Status, Turn, Verdict
from documents.models import GlossaryEntry, ReaderIdentity
from documents.reader import reader_of
from tests import factories
from tests.chat import portal
from tests.chat.portal import PICKING, PICKING_Q, ask, published

pytestmark = pytest.mark.django_db
VERSIONS = Versions("r", "i", "p", "v", "t", "e", "g", "k", "w")
NAME, EMAIL, CPF = "Fulana de Tal Sobrenome", "fulana@empresa.example", "529.982.247-25"


@pytest.fixture
def ana() -> User:
    return factories.person("fulana.tal", first_name="Fulana", last_name="de Tal Sobrenome", email=EMAIL)


def write(user: User, question: str = "qual o prazo?", **changes: Any) -> EvidenceRecord:
    outcome = Outcome(Status.NOT_FOUND, question, question, date(2026, 11, 30), "current", **changes)
    return recorder.record(outcome, VERSIONS, reader_of(user), ())


def breaks() -> list[str]:
    with translation.override("en"):
        return [item.problem for item in chain.verify()]


@contextmanager
def unguarded() -> Iterator[None]:
    """As somebody would who owns the database: no trigger stands in the way."""
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"):
        yield


# Recorded before shown


@contextmanager
def table_that_refuses(table: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;"
            f"CREATE TRIGGER refuse BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TRIGGER refuse ON {table}; DROP FUNCTION refuse()")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["chat_evidencerecord", "chat_evidencequestion", "chat_evidencehead"])
def test_what_cannot_be_recorded_is_not_shown(table: str) -> None:
    reader = factories.person("ana")
    published("ops-cd-sp", PICKING)
    heard: list[services.Event] = []
    with table_that_refuses(table), pytest.raises(recorder.RecordFailed) as failure:
        heard.extend(services.ask(reader, PICKING_Q))
    assert {event.name for event in heard} == {"status"}
    assert "disk full" not in str(failure.value)
    assert not EvidenceRecord.objects.exists()
    assert not Conversation.objects.exists()
    assert ask(reader, PICKING_Q)["status"] == "answered"
    assert not breaks()


@pytest.mark.django_db(transaction=True)
def test_what_follows_from_an_answer_is_kept_before_it_is_shown() -> None:
    reader = factories.person("ana")
    published("ops-cd-sp", PICKING)
    heard: list[str] = []
    with table_that_refuses("chat_message"), pytest.raises(services.NotKept):
        heard.extend(event.name for event in services.ask(reader, PICKING_Q))
    assert set(heard) <= {"status"}


def test_a_person_who_leaves_before_the_end_was_shown_nothing_and_nothing_is_recorded(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    events = services.ask(ana, PICKING_Q)
    assert next(events).name == "status"
    events.close()  # type: ignore[attr-defined]
    assert not EvidenceRecord.objects.exists()


# Append-only


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE chat_evidencerecord SET status = 'answered'",
        "UPDATE chat_evidencerecord SET body = '{}'",
        "DELETE FROM chat_evidencerecord",
        "TRUNCATE chat_evidencerecord CASCADE",
    ],
)
def test_the_database_itself_refuses_to_change_a_record(ana: User, statement: str) -> None:
    write(ana)
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert EvidenceRecord.objects.count() == 1
    assert not breaks()


# Tampering

OF_ANOTHER = "the body of another record"


def test_a_chain_that_nobody_touched_holds(ana: User) -> None:
    assert not breaks()
    published("ops-cd-sp", PICKING)
    for question in (PICKING_Q, "xyzzy?", "qual era o prazo antigamente?"):
        ask(ana, question)
    assert list(EvidenceRecord.objects.order_by("sequence").values_list("sequence", flat=True)) == [1, 2, 3]
    assert not breaks()


@pytest.mark.parametrize(
    "changed",
    [
        {"status": "blocked"},
        {"on": date(2020, 1, 1)},
        {"reader_key": uuid.UUID(int=7)},
        {"documents": ["outro"]},
        {"documents": []},
        {"recorded_at": datetime(2020, 1, 1, tzinfo=UTC)},
        {"id": uuid.UUID(int=7)},
        {"previous_hash": "f" * 64},
        {"hash": "f" * 64},
        {"body": {}},
        {"body": "nada"},
        {"body": OF_ANOTHER},
    ],
    ids=str,
)
def test_a_changed_column_is_found(changed: dict[str, Any]) -> None:
    published("ops-cd-sp", PICKING)
    reader = factories.person()
    assert ask(reader, PICKING_Q)["status"] == "answered"
    write(reader)
    EvidenceQuestion.objects.all().delete()
    if changed.get("body") is OF_ANOTHER:
        changed = {"body": EvidenceRecord.objects.get(sequence=2).body}
    with unguarded():
        EvidenceRecord.objects.filter(sequence=1).update(**changed)
    assert breaks()


def test_any_changed_part_of_the_body_is_found() -> None:
    published("ops-cd-sp", PICKING)
    ask(factories.person(), PICKING_Q)
    body = EvidenceRecord.objects.get().body
    for name in body:
        other = {**body, name: ["changed", body[name]]}
        with transaction.atomic(), unguarded():
            EvidenceRecord.objects.update(body=other)
        assert breaks(), name
    with unguarded():
        EvidenceRecord.objects.update(body=body)
    assert not breaks()


def test_a_removed_record_is_found_wherever_it_stood(ana: User) -> None:
    for _ in range(4):
        write(ana)
    EvidenceQuestion.objects.all().delete()
    for sequence in (1, 2, 4):
        point = transaction.savepoint()
        with unguarded():
            EvidenceRecord.objects.filter(sequence=sequence).delete()
        assert breaks(), sequence
        transaction.savepoint_rollback(point)
    assert not breaks()


def test_a_record_that_was_removed_and_the_rest_moved_up_is_found(ana: User) -> None:
    for _ in range(3):
        write(ana)
    EvidenceQuestion.objects.all().delete()
    with unguarded():
        EvidenceRecord.objects.filter(sequence=2).delete()
        EvidenceRecord.objects.filter(sequence=3).update(sequence=2)
        EvidenceHead.objects.update(sequence=2)
    assert breaks()


@pytest.mark.parametrize("sequence", [0, -3])
def test_a_record_before_the_first_is_found(ana: User, sequence: int) -> None:
    """Whoever may write to the tables past their triggers may take their constraints away too."""
    write(ana), write(ana)
    EvidenceQuestion.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE chat_evidencerecord DROP CONSTRAINT chat_evidence_starts_at_one")
    record = EvidenceRecord.objects.get(sequence=1)
    record.sequence, record.id, record.hash = sequence, uuid.uuid4(), "f" * 64
    record.save(force_insert=True)
    assert breaks() == ["stands before the first record"]


def test_a_swapped_pair_is_found(ana: User) -> None:
    for number in range(3):
        write(ana, f"pergunta {number}")
    with unguarded():
        for old, new in ((1, 9), (2, 1), (9, 2)):
            EvidenceRecord.objects.filter(sequence=old).update(sequence=new)
    assert breaks()


@pytest.mark.parametrize("changed", [{"sequence": 1}, {"sequence": 3}, {"hash": "f" * 64}, None], ids=str)
def test_a_changed_head_is_found(ana: User, changed: dict[str, Any] | None) -> None:
    write(ana), write(ana)
    if changed is None:
        EvidenceHead.objects.all().delete()
    else:
        EvidenceHead.objects.update(**changed)
    assert breaks()


@pytest.mark.django_db(transaction=True)
def test_an_answer_recorded_while_the_last_one_is_checked_is_no_break(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = factories.person()
    write(reader)
    checked = chain.columns_hold

    def check_and_record(row: EvidenceRecord) -> bool:
        if row.sequence < 4:
            thread = threading.Thread(target=in_a_connection_of_its_own, args=(reader,))
            thread.start()
            thread.join()
        return checked(row)

    monkeypatch.setattr(chain, "columns_hold", check_and_record)
    assert not breaks()
    assert EvidenceRecord.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_four_at_once_keep_one_chain_without_gaps() -> None:
    people = [factories.person() for _ in range(4)]
    threads = [threading.Thread(target=in_a_connection_of_its_own, args=(person, 8)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(EvidenceRecord.objects.order_by("sequence").values_list("sequence", flat=True)) == list(range(1, 33))
    assert not breaks()


def in_a_connection_of_its_own(user: User, times: int = 1) -> None:
    try:
        for _ in range(times):
            write(user)
    finally:
        connections.close_all()


# Who asked


def walk(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield str(name)
            yield from walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item)
    else:
        yield str(value)


def identifying(user: User) -> tuple[str, ...]:
    return (user.username, user.first_name, user.last_name, user.email, CPF, "52998224725")


def test_nothing_in_a_body_tells_who_asked(ana: User) -> None:
    """Neither the asker's own name nor what has the form of personal data, whoever typed it where."""
    published("ops-cd-sp", PICKING, owner=ana)
    question = (
        f"sou {NAME} (fulana.tal), meu CPF é {CPF} e meu e-mail {EMAIL}, qual o prazo de separação de pedidos do CD-SP?"
    )
    answer = ask(ana, question, history=[Turn("user", f"sou {NAME}, CPF {CPF}")])
    record = EvidenceRecord.objects.get(id=answer["evidence"])
    told = "\n".join(walk(record.body)).casefold()
    assert not [text for text in identifying(ana) if text.casefold() in told]
    assert str(ana.pk) not in set(walk({"reader": record.body["reader"]}))
    assert record.body["reader"]["key"] == str(ReaderIdentity.objects.get(user=ana).key)
    assert "prazo de separação" in record.body["question"]


def test_what_a_model_made_of_the_question_is_redacted_too(ana: User) -> None:
    claim = DraftClaim(f"O CPF {CPF} tem prazo.", 1, f"de {EMAIL}")
    record = write(
        ana,
        searches=(Search(f"prazo do CPF {CPF}"),),
        verdicts=(Verdict(claim, False, "quote_not_found"),),
        error=f"could not read {EMAIL}",
    )
    told = "\n".join(walk(record.body))
    assert CPF not in told
    assert EMAIL not in told
    assert record.body["refused"][0]["reason"] == "quote_not_found"


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\0", "\\u0000 e \\ud800"])
def test_what_a_table_does_not_take_is_recorded_without_it(ana: User, text: str) -> None:
    record = write(ana, text, searches=(Search(text),), error=text)
    assert EvidenceRecord.objects.get(pk=record.pk).body["question"]
    assert not breaks()


def test_a_person_can_be_forgotten_and_the_chain_holds(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    answer = ask(ana, f"{NAME}, CPF {CPF}: {PICKING_Q}")
    record = EvidenceRecord.objects.get(id=answer["evidence"])
    assert EvidenceQuestion.objects.get(record=record).question == f"{NAME}, CPF {CPF}: {PICKING_Q}"
    EvidenceQuestion.objects.filter(record__reader_key=record.reader_key).delete()
    ReaderIdentity.objects.filter(user=ana).delete()
    Conversation.objects.filter(user=ana).delete()
    assert not breaks()
    kept = json.dumps(list(EvidenceRecord.objects.values()), default=str, ensure_ascii=False).casefold()
    assert not [text for text in identifying(ana) if text.casefold() in kept]
    assert str(reader_of(ana).key) != str(record.reader_key), "who asks again is somebody else"


def test_the_documents_column_follows_from_the_body(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    record = EvidenceRecord.objects.get(id=ask(ana, PICKING_Q)["evidence"])
    assert record.documents == ["ops-cd-sp"] == evidence.documents(record.body)


def test_the_passages_sent_can_be_recovered_from_their_revisions(ana: User) -> None:
    document = published("ops-cd-sp", PICKING)
    body = EvidenceRecord.objects.get(id=ask(ana, PICKING_Q)["evidence"]).body
    [passage] = body["passages"]
    revision = document.revisions.get()
    assert (passage["revision_id"], passage["document"]) == (str(revision.pk), "ops-cd-sp")
    chunk = revision.chunks.get()
    assert revision.text[passage["start"] : passage["end"]] == chunk.text
    assert passage["text_hash"] == chunk.text_hash
    assert [c["reason"] for c in body["candidates"]] == ["eligible"]
    assert body["candidates"][0]["rank"] == 1
    assert body["candidates"][0]["features"]["coverage"] > 0.5


def test_a_fault_of_the_portal_is_recorded_with_its_cause(ana: User) -> None:
    answer = ask(ana, PICKING_Q)  # there is no index yet
    assert answer["status"] == "unavailable"
    body = EvidenceRecord.objects.get(id=answer["evidence"]).body
    assert "no index" in body["error"]
    assert body["versions"]["generator"]
    assert portal.sources(answer) == set()


@pytest.mark.parametrize("sequence", [0, -1])
def test_nothing_can_stand_before_the_first_record(ana: User, sequence: int) -> None:
    published("ops-cd-sp", PICKING)
    ask(ana, PICKING_Q)
    row = EvidenceRecord.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        EvidenceRecord.objects.create(
            sequence=sequence,
            id=uuid.UUID(int=9),
            recorded_at=row.recorded_at,
            status=row.status,
            on=row.on,
            reader_key=row.reader_key,
            body=row.body,
            previous_hash=row.previous_hash,
            hash="forged",
        )


@pytest.mark.parametrize("number", ["99999999999999999999999999", "1e400"])
def test_a_value_that_was_never_written_is_a_break_and_no_crash(ana: User, number: str) -> None:
    published("ops-cd-sp", PICKING)
    ask(ana, PICKING_Q)
    with pgtrigger.ignore("chat.EvidenceRecord:evidence_is_append_only"), connection.cursor() as cursor:
        cursor.execute("UPDATE chat_evidencerecord SET body = jsonb_set(body, '{n}', %s::jsonb)", [number])
    assert any("was changed after it was written" in item for item in breaks())


def test_an_address_that_a_rewriting_would_cut_is_not_in_the_record(ana: User) -> None:
    published("ops-cd-sp", PICKING)
    GlossaryEntry.objects.create(term="RH", expansions=["recursos humanos"], reason="sigla")
    ask(ana, "O e-mail ana.silva@rh.exemplo.com.br pode pedir picking no RH?")
    assert "ana.silva" not in json.dumps(EvidenceRecord.objects.get().body)
