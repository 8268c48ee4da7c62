"""Who asked a recorded question, as they stand now and as the record keeps them, and in which words."""

from __future__ import annotations

from chat.models import EvidenceQuestion, EvidenceRecord
from documents.models import ReaderIdentity
from documents.reader import reader_of
from documents.rules.types import Reader, Role


def reader_now(record: EvidenceRecord) -> Reader:
    """Who asked, as they stand today; who was forgotten, by the keys of the record."""
    identity = ReaderIdentity.objects.select_related("user").filter(pk=record.reader_key).first()
    return reader_of(identity.user) if identity is not None else reader_then(record)


def reader_then(record: EvidenceRecord) -> Reader:
    """Who asked, as the record keeps it: keys that name no one. The id, which decides on what was granted to the
    person alone, comes from the identity while there is one.
    """
    snapshot = record.body["reader"]
    identity = ReaderIdentity.objects.filter(pk=record.reader_key).first()
    return Reader(
        key=snapshot["key"],
        user_id=identity.user_id if identity else 0,
        active=True,
        named_groups=frozenset(snapshot["groups"]),
        areas=frozenset(snapshot["areas"]),
        units=frozenset(snapshot["units"]),
        jurisdictions=frozenset(snapshot["jurisdictions"]),
        roles=frozenset(Role(role) for role in snapshot["roles"]),
    )


def words_of(record: EvidenceRecord) -> str:
    """The question as the person put it, while that is kept; then without personal data, as the record has it."""
    asked = EvidenceQuestion.objects.filter(record=record).first()
    return asked.question if asked else str(record.body["question"])
