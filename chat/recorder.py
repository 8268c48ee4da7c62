"""The only writer of evidence: one record at a time, chained, in the transaction that lets the answer leave."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import Error, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import EvidenceHead, EvidenceQuestion, EvidenceRecord
from chat.rules import evidence
from chat.rules.names import without_names
from chat.rules.outcome import Outcome, Versions
from chat.rules.privacy import redact
from chat.rules.types import Turn
from documents.errors import DomainError
from documents.rules.types import Reader

logger = logging.getLogger(__name__)

CHAIN_LOCK = 0x6B62_0003


class RecordFailed(DomainError):
    """The cause is for the log: a database tells whole rows in its errors, and so the answer that must not leave."""

    code = "record_failed"
    status = 503

    def __init__(self) -> None:
        super().__init__(_("The evidence could not be recorded, so there is no answer. Try again in a moment."))


def record(
    outcome: Outcome, versions: Versions, reader: Reader, history: Sequence[Turn], names: Sequence[str] = ()
) -> EvidenceRecord:
    """Write the evidence of an answer. Raises `RecordFailed`: then nothing of the answer may leave.

    `names` are the asker's own, which must not stay in a record once the person is forgotten.
    """
    redacted = {text: _storable(without_names(redact(text).text, names)) for text in evidence.typed(outcome)}
    if redact(outcome.standalone).found:
        # A rewriting may have cut what it did not know to be an address or a number: only the question's form is kept.
        redacted |= {search.text: redacted[outcome.standalone] for search in outcome.searches}
    # Through JSON once, so that what is hashed is what the database gives back.
    body = json.loads(json.dumps(evidence.body(outcome, versions, reader, redacted)))
    try:
        with transaction.atomic():
            row = _append(outcome, reader, body)
            EvidenceQuestion.objects.create(
                record=row,
                question=_storable(outcome.question),
                history=[{"role": turn.role, "text": _storable(turn.text)} for turn in history],
            )
    except Error as error:
        logger.exception("the evidence could not be recorded")
        raise RecordFailed from error
    return row


def _append(outcome: Outcome, reader: Reader, body: dict[str, object]) -> EvidenceRecord:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CHAIN_LOCK])
    last = EvidenceRecord.objects.order_by("-sequence").only("sequence", "hash").first()
    sequence, previous = (last.sequence + 1, last.hash) if last else (1, evidence.GENESIS)
    record_id, at = uuid.uuid4(), timezone.now()
    row = EvidenceRecord.objects.create(
        sequence=sequence,
        id=record_id,
        recorded_at=at,
        status=str(outcome.status),
        on=outcome.on,
        reader_key=reader.key,
        documents=evidence.documents(body),
        body=body,
        previous_hash=previous,
        hash=evidence.chained_hash(
            sequence=sequence,
            record_id=str(record_id),
            recorded_at=at,
            reader_key=reader.key,
            record=body,
            previous=previous,
        ),
    )
    if not EvidenceHead.objects.update(sequence=row.sequence, hash=row.hash):
        EvidenceHead.objects.create(sequence=row.sequence, hash=row.hash)
    return row


@dataclass(frozen=True, slots=True)
class Break:
    """Where the chain does not hold: the place, the record that stands there and what is wrong with it."""

    sequence: int
    record: str
    problem: str


def verify() -> Iterator[Break]:
    """Walk the whole chain; yields nothing when every record is where and what it was when it was written."""
    expected, previous = 1, evidence.GENESIS
    for row in EvidenceRecord.objects.filter(sequence__lt=expected):
        yield Break(row.sequence, str(row.id), "stands before the first record")
    while True:
        begun = expected
        for row in EvidenceRecord.objects.filter(sequence__gte=expected).order_by("sequence").iterator(500):
            name = str(row.id)
            if row.sequence != expected:
                yield Break(row.sequence, name, f"records {expected} to {row.sequence - 1} are missing")
            if row.previous_hash != previous:
                yield Break(row.sequence, name, "does not follow the record before it")
            if row.hash != _hash_of(row) or not _columns_hold(row):
                yield Break(row.sequence, name, "was changed after it was written")
            expected, previous = row.sequence + 1, row.hash
        head = EvidenceHead.objects.first()
        # Answers go on being recorded meanwhile: a head that is further than the walk came is walked to.
        if head is None or head.sequence < expected or expected == begun:
            break
    if (head.sequence, head.hash) != (expected - 1, previous) if head else expected > 1:
        last = head.sequence if head else 0
        yield Break(expected, "", f"the chain ends at {expected - 1}, the last record written was {last}")


def _columns_hold(row: EvidenceRecord) -> bool:
    """Whether the columns that lists are made from say what the body says, which the hash covers."""
    try:
        told = row.body["status"], row.body["on"], row.body["reader"]["key"], evidence.documents(row.body)
    except (KeyError, TypeError):
        return False
    return told == (row.status, row.on.isoformat(), str(row.reader_key), row.documents)


def _hash_of(row: EvidenceRecord) -> str | None:
    """The hash that the row should have; None where its body holds what was never written."""
    try:
        return evidence.chained_hash(
            sequence=row.sequence,
            record_id=str(row.id),
            recorded_at=row.recorded_at,
            reader_key=str(row.reader_key),
            record=row.body,
            previous=row.previous_hash,
        )
    except (ValueError, TypeError, OverflowError):  # numbers and values that canonical JSON does not take
        return None


def _storable(text: str) -> str:
    """Without what PostgreSQL does not take: NUL, and halves of characters that a model may write."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
