"""The only writer of the audit trail, and its check."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection, transaction
from django.utils import timezone

from documents import reader
from documents.models import Document, Revision
from documents.rules.canonical import canonical
from governance.models import AuditEvent, Verb

# Any constant of our own: it names the lock under which the chain grows.
CHAIN_LOCK = 0x6B625F6175646974

Value = str | int | bool | None | list[str]
Facts = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class ChainReport:
    """`broken_at` is the position of the first event that does not fit; None: the chain holds.

    `end` is its last position and hash, `N:HASH`: noted outside the portal, it shows later that the chain was neither
    cut short nor written anew.
    """

    events: int
    broken_at: int | None = None
    why: str = ""
    end: str = ""

    @property
    def holds(self) -> bool:
        return self.broken_at is None


def record(verb: Verb, *, actor: AbstractBaseUser, target: str, before: Facts, after: Facts, reason: str) -> AuditEvent:
    """Append one event. Call it inside the transaction of the change: both are kept or neither is.

    The lock is held until that transaction ends, so events are chained in the order in which they are committed.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("an audit event belongs to the transaction of its change")
    event = AuditEvent(
        verb=verb,
        actor=_key(actor.pk),
        target=target,
        before=dict(before),
        after=dict(after),
        reason=reason,
        at=timezone.now(),
    )
    together_now = _together.get()
    if together_now is None:
        _append([event])
    else:
        together_now.append(event)
    return event


@contextmanager
def together() -> Iterator[None]:
    """Append what is recorded inside in one step at its end: who does much in one transaction then holds the lock of
    the chain, for which everybody waits, for a moment alone.

    Use it inside that transaction. What fails inside leaves no event; nested in another, the outermost one appends.
    """
    held = _together.get()
    events: list[AuditEvent] = [] if held is None else held
    before, token = len(events), _together.set(events)
    try:
        yield
    except BaseException:
        del events[before:]
        raise
    finally:
        _together.reset(token)
    if held is None:
        _append(events)


_together: ContextVar[list[AuditEvent] | None] = ContextVar("together", default=None)


def _append(events: Sequence[AuditEvent]) -> None:
    if not events:
        return
    last = _locked_last()
    position, previous = last or (0, "")
    for place, event in enumerate(events, position + 1):
        event.position, event.previous = place, previous
        event.hash = previous = event_hash(event)
    AuditEvent.objects.bulk_create(events)


def _locked_last() -> tuple[int, str] | None:
    """Position and hash of the last event once nobody else may append.

    Two statements in one message: the second looks after the first has waited.
    """
    table = AuditEvent._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT pg_advisory_xact_lock({CHAIN_LOCK}); "
            f"SELECT position, hash FROM {table} ORDER BY position DESC LIMIT 1"
        )
        cursor.nextset()
        last: tuple[int, str] | None = cursor.fetchone()
    return last


def event_hash(event: AuditEvent) -> str:
    body = {
        "position": event.position,
        "verb": str(event.verb),
        "actor": str(event.actor),
        "target": event.target,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "at": event.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "previous": event.previous,
    }
    return hashlib.sha256(canonical(body)).hexdigest()


def verify(noted: tuple[int, str] | None = None) -> ChainReport:
    """Walk the whole chain: positions without a gap, each hash right, each event naming the one before.

    `noted` are the position and the hash that were its end at some time: they must be in it still.
    """
    previous, position = "", 0
    for event in AuditEvent.objects.order_by("position").iterator(chunk_size=1000):
        position += 1
        if event.position != position:
            return ChainReport(position - 1, position, "missing")
        if event.previous != previous:
            return ChainReport(position, position, "unchained")
        if event.hash != event_hash(event):
            return ChainReport(position, position, "altered")
        if noted is not None and noted[0] == position and noted[1] != event.hash:
            return ChainReport(position, position, "rewritten")
        previous = event.hash
    if noted is not None and noted[0] > position:
        return ChainReport(position, position + 1, "missing")
    return ChainReport(position, end=f"{position}:{previous}" if position else "")


def key_of(user_id: int | None) -> str | None:
    """The key that stands for a person in records; None stays None."""
    return None if user_id is None else _key(user_id)


def document_target(document: Document) -> str:
    return str(document.code)


def revision_target(revision: Revision) -> str:
    return f"{revision.document.code}@{revision.label}"


def _key(user_id: int) -> str:
    return reader.key_of(user_id)
