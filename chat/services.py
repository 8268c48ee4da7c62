"""The chat's doors: the command, the API and the pages all ask here, and get the same answer in the same order."""

from __future__ import annotations

import logging
import unicodedata
import uuid
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db import Error, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat import assembly, recorder
from chat.cache import Begun
from chat.models import Conversation, Message
from chat.pipeline import Ask, Step, down, run
from chat.rules.answer import Channel, Json, answer, claim, trace
from chat.rules.outcome import Outcome, Versions
from chat.rules.types import Status, Turn
from documents import clock, corpus
from documents.errors import DomainError
from documents.models import Document
from documents.reader import reader_of
from documents.rules.types import Role
from governance.actions.tasks import open_task
from governance.models import OwnerTask

logger = logging.getLogger(__name__)

LONGEST_QUESTION = 2000
REMEMBERED = 12
"""Messages of a conversation that a follow-up is understood with."""


class BadQuestion(DomainError):
    code = "bad_question"
    status = 422


class NotFound(DomainError):
    """Missing, or somebody else's: the same words."""

    code = "not_found"
    status = 404


class NotAuditor(DomainError):
    code = "forbidden"
    status = 403


class NotKept(DomainError):
    """The evidence stands, but what belongs to the answer beside it could not be written."""

    code = "not_kept"
    status = 503


@dataclass(frozen=True, slots=True)
class Event:
    """One message of the stream: `status`, `claim`, `done`; `data` is its JSON."""

    name: str
    data: Json


def ask(
    user: User,
    question: str,
    *,
    on: date | None = None,
    history: Sequence[Turn] | None = None,
    conversation: str | None = None,
    with_trace: bool = False,
) -> Iterator[Event]:
    """Ask as `user`. Yields what is being done, then, once the evidence is recorded, each claim and the whole answer.

    `conversation` continues one of the person's own; without it and without `history` the question stands alone, and
    a new conversation begins. Raises `BadQuestion`, `NotFound`, `NotAuditor` before anything is done, and
    `RecordFailed` instead of an answer that could not be recorded.
    """
    question = cleaned(question)
    begun = assembly.begin(question)
    reader = reader_of(user)
    if with_trace and Role.AUDITOR not in reader.roles:
        raise NotAuditor(_("Only an auditor may see how an answer came about."))
    thread = _conversation(user, conversation)
    turns = _given(history) if history is not None else _turns(thread)
    outcome, versions = yield from _outcome(Ask(question, reader, clock.today(), on, turns), begun)
    record = recorder.record(outcome, versions, reader, turns, recorder.names_of(user))
    if outcome.status is Status.UNAVAILABLE:
        logger.error("answer %s is unavailable: %s", record.id, outcome.error)
    value = answer(outcome, evidence=str(record.id), channel=_channel(outcome))
    try:
        if outcome.status is Status.CONFLICT:
            _tell_owners(user, outcome, str(record.id))
        value["conversation"] = str(_remember(user, thread, outcome, record.id))
    except Error as error:
        logger.exception("what follows from an answer could not be kept")
        raise NotKept(_("The answer was recorded, but your conversation could not be kept. Ask again.")) from error
    if with_trace:
        value["trace"] = trace(outcome, versions)
    for item in outcome.claims:
        yield Event("claim", claim(item))
    yield Event("done", value)


def answer_of(events: Iterator[Event]) -> Json:
    """The whole answer of a stream, for who does not stream."""
    *_others, done = events
    return done.data


def cleaned(question: str) -> str:
    """The question without control characters. Raises `BadQuestion` when nothing is left or it is too long."""
    text = _readable(question).strip()
    if not text:
        raise BadQuestion(_("Write a question."))
    if len(text) > LONGEST_QUESTION:
        raise BadQuestion(
            _("The question has %(length)d characters; write at most %(most)d.")
            % {"length": len(text), "most": LONGEST_QUESTION}
        )
    return text


def _readable(text: str) -> str:
    """Without control characters and halves of characters, which neither a model nor a table takes."""
    return "".join(c if unicodedata.category(c) not in ("Cc", "Cs") or c == "\n" else " " for c in text)


def _outcome(question: Ask, begun: Begun | None) -> Generator[Event, None, tuple[Outcome, Versions]]:
    try:
        parts = assembly.parts(begun)
    except assembly.UNAVAILABLE as error:
        return down(question, error), assembly.versions_down()
    steps = run(question, parts)
    while True:
        try:
            step: Step = next(steps)
        except StopIteration as stop:
            return stop.value, parts.versions
        except Exception as error:  # a replaceable part may fail in ways of its own: it is down all the same
            logger.exception("a part failed in a way that it does not promise")
            return down(question, error), parts.versions
        yield Event("status", {"step": step.name, "n": step.n})


def _channel(outcome: Outcome) -> Channel | None:
    row = corpus.channel(outcome.area)
    return {"label": row.label, "url": row.url} if row else None


def _conversation(user: User, conversation: str | None) -> Conversation | None:
    if conversation is None:
        return None
    try:
        return Conversation.objects.get(pk=uuid.UUID(conversation), user=user)
    except (ValueError, Conversation.DoesNotExist) as error:
        raise NotFound(_("There is no such conversation.")) from error


def _turns(thread: Conversation | None) -> tuple[Turn, ...]:
    if thread is None:
        return ()
    last = thread.messages.order_by("-pk")[:REMEMBERED]
    return tuple(Turn(message.role, message.text) for message in reversed(last))


def _given(history: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(Turn(turn.role, _readable(turn.text)) for turn in history[-REMEMBERED:])


@transaction.atomic
def _remember(user: User, thread: Conversation | None, outcome: Outcome, record: uuid.UUID) -> uuid.UUID:
    """The conversation's id. One that was deleted while its answer was made stays deleted."""
    if thread is None:
        thread = Conversation.objects.create(user=user, title=outcome.question[:200])
    elif not Conversation.objects.select_for_update(no_key=True).filter(pk=thread.pk).exists():
        return thread.pk
    said = "\n".join(item.text for item in outcome.claims)
    Message.objects.bulk_create(
        [
            Message(conversation=thread, role=Message.Role.USER, text=outcome.question),
            Message(conversation=thread, role=Message.Role.ASSISTANT, text=said, evidence_id=record),
        ]
    )
    return thread.pk


def _tell_owners(user: User, outcome: Outcome, evidence: str) -> None:
    codes = [cited.passage.document for cited in outcome.conflict]
    open_task(
        OwnerTask.Kind.CONFLICT,
        list(Document.objects.filter(code__in=codes)),
        actor=user,
        reason=gettext_lazy("Two sources in force disagree and no rule of precedence decides."),
        evidence=evidence,
    )
