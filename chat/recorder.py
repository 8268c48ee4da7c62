"""The only writer of evidence: one record at a time, chained, in the transaction that lets the answer leave."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Sequence

from django.contrib.auth.models import User
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


def names_of(user: User) -> tuple[str, ...]:
    """What the portal calls a person by: none of it may stay in what is kept of their words."""
    return user.username, user.first_name, user.last_name


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


def _storable(text: str) -> str:
    """Without what PostgreSQL does not take: NUL, and halves of characters that a model may write."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
