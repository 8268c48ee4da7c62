"""A question that is sent twice is asked once: a double click, a reload and a retry all lead to the same answer."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta

from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import services
from chat.models import Attempt, Conversation
from chat.services import Event
from documents.errors import DomainError

logger = logging.getLogger(__name__)

ATTEMPT_LOCK = 0x6B62_0007
"""With an attempt's id: held by the process that answers it, and freed by the database when that process dies."""
GIVEN_UP_AFTER = timedelta(minutes=3)
"""An attempt that still runs after this is over, whoever holds its lock: a pooler keeps the locks of the dead."""
KEPT_FOR = timedelta(days=2)


class StillAsked(DomainError):
    """The same form is being answered at this moment."""

    code = "still_asked"
    status = 409


def ask_once(
    user: User, question: str, *, token: uuid.UUID, on: date | None = None, conversation: uuid.UUID | None = None
) -> Iterator[Event]:
    """`services.ask`, once for each token of this person. Afterwards `done` alone, with `evidence` and `conversation`.

    Raises `StillAsked` while the first one runs, and what `services.ask` raises. An attempt that came to nothing,
    because it failed or its listener left before there was a record, may be repeated with its token.
    """
    attempt = _begun(user, token)
    if attempt.evidence_id is not None:
        conversation = attempt.conversation_id
        yield Event("done", {"evidence": str(attempt.evidence_id), "conversation": str(conversation or "")})
        return
    finished = False
    try:
        held = str(conversation) if conversation else None
        with closing(services.ask(user, question, on=on, conversation=held)) as events:  # type: ignore[type-var]
            for event in events:
                if event.name == "status":
                    yield event
                    continue
                # The evidence is recorded: the answer is noted before the first of it leaves.
                answer = [event, *events]
                _finish(attempt, answer[-1])
                finished = True
                yield from answer
    finally:
        if not finished:
            Attempt.objects.filter(pk=attempt.pk).update(failed=True)
        _let_go(attempt)


def found(user: User, token: uuid.UUID) -> Attempt:
    """How the sending of this form stands; `failed` is set for one that was given up. Raises `services.NotFound`."""
    attempt = Attempt.objects.filter(user=user, token=token).first()
    if attempt is None:
        raise services.NotFound(_("Not found."))
    if _runs(attempt):
        return attempt
    ended = Attempt.objects.filter(pk=attempt.pk).first() or attempt  # perhaps with an answer, between the two looks
    ended.failed = ended.evidence_id is None
    return ended


def _begun(user: User, token: uuid.UUID) -> Attempt:
    now = timezone.now()
    with transaction.atomic():
        Attempt.objects.filter(user=user, started_at__lt=now - KEPT_FOR).delete()
        attempt, created = Attempt.objects.select_for_update().get_or_create(
            user=user, token=token, defaults={"started_at": now}
        )
        if attempt.evidence_id is not None:
            return attempt
        if not created and _runs(attempt):
            raise StillAsked(_("This question is being answered already."))
        _hold(attempt)
        attempt.started_at, attempt.failed = now, False
        attempt.save(update_fields=["started_at", "failed"])
    return attempt


def _runs(attempt: Attempt) -> bool:
    recent = attempt.started_at > timezone.now() - GIVEN_UP_AFTER
    return not attempt.failed and recent and _held(attempt)


def _hold(attempt: Attempt) -> None:
    """Before the attempt is seen by others, so that nobody sees it without its lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [ATTEMPT_LOCK, _key(attempt)])


def _held(attempt: Attempt) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND granted"
            " AND classid = %s AND objid = %s"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
            [ATTEMPT_LOCK, _key(attempt)],
        )
        return bool(cursor.fetchone()[0])


def _let_go(attempt: Attempt) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [ATTEMPT_LOCK, _key(attempt)])
    except (OperationalError, InterfaceError):
        logger.warning("the database went away during a question; its lock went with the connection")


def _key(attempt: Attempt) -> int:
    return attempt.pk % 2**31


def _finish(attempt: Attempt, done: Event) -> None:
    # A conversation that was deleted while its answer was made stays deleted.
    kept = Conversation.objects.filter(pk=str(done.data["conversation"])).first()
    Attempt.objects.filter(pk=attempt.pk).update(evidence_id=done.data["evidence"], conversation=kept)
