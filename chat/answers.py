"""Answers as pages show them, from the record alone: one shape for an answer of now and for one of last year.

Every quote is checked again against what the person may read today. One that they may no longer read is withheld, with
the claim that rests on it: a permission that was taken away shows nothing, not even what was shown before.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from chat import owners
from chat.models import EvidenceRecord, Feedback, Message
from chat.rules.evidence import quoted_in
from chat.rules.types import Status
from documents.models import Channel, Document, Revision
from documents.rules.types import Reader
from governance.models import OwnerTask
from governance.permissions import readable_revisions


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote and where it stands; `current` says whether that revision is in force today."""

    document: str
    title: str
    revision: str
    revision_id: str
    section: str
    anchor: str
    page: int | None
    quote: str
    authority: str
    valid_from: date | None
    valid_until: date | None
    owner: str
    start: int
    end: int
    current: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """`number` counts from 1 in the record; `objection` is what this person said is wrong with it."""

    number: int
    text: str
    citations: tuple[Citation, ...]
    objection: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One answer. `withheld` counts the claims and sources that this person may no longer read.

    `searched` is what was looked for; `channel` is where to ask a person instead; `told` are those who were told of a
    conflict; `sent` is the question in an owner's inbox; `objection` is what this person said of the refusal.
    """

    evidence: uuid.UUID
    status: str
    question: str
    on: date
    temporal: str
    recorded_at: datetime
    missing: str
    claims: tuple[Claim, ...]
    sources: tuple[Citation, ...]
    related: tuple[Citation, ...]
    withheld: int
    searched: tuple[str, ...]
    told: tuple[str, ...]
    channel: Channel | None
    sent: OwnerTask | None
    objection: str

    @property
    def outdated(self) -> bool:
        """Whether an answer about its own day cites what is no longer in force."""
        cited = [cited for claim in self.claims for cited in claim.citations] + list(self.sources)
        return self.temporal == "current" and any(not one.current for one in cited)


def shown(questions: Mapping[uuid.UUID, str], user: User, reader: Reader) -> list[Shown]:
    """The answers to these questions, by the ids of their records, in the same order; what has no record is left out.

    Who may open them was decided by the caller. The number of queries does not grow with theirs.
    """
    records = EvidenceRecord.objects.in_bulk(list(questions), field_name="id")
    held = [records[evidence] for evidence in questions if evidence in records]
    known = _Known(held, user, reader)
    return [_shown(record, questions[record.id], known) for record in held]


def still_said(messages: Sequence[Message], user: User, reader: Reader) -> Sequence[Message]:
    """A conversation as it may be told today: of each answer the claims that this person may still read."""
    answers = shown({message.evidence_id: "" for message in messages if message.evidence_id}, user, reader)
    said = {one.evidence: "\n".join(claim.text for claim in one.claims) for one in answers}
    for message in messages:
        if message.evidence_id:
            message.text = said.get(message.evidence_id, "")
    return messages


class _Known:
    """What the pages need beside the records, for all of them at once."""

    def __init__(self, records: Sequence[EvidenceRecord], user: User, reader: Reader) -> None:
        ids = [str(record.id) for record in records]
        cited = {cited["revision_id"] for record in records for cited in quoted_in(record.body)}
        readable = readable_revisions(reader).filter(pk__in=cited) if cited else Revision.objects.none()
        self.today = timezone.localdate()
        self.windows = {str(pk): window for pk, window in readable.order_by().values_list("pk", "in_force")}
        given = Feedback.objects.filter(evidence_id__in=ids, user=user)
        self.objections = {(item.evidence_id, item.claim): str(item.get_kind_display()) for item in given}
        questions = OwnerTask.objects.filter(kind=OwnerTask.Kind.QUESTION, evidence__in=ids).select_related("owner")
        self.sent = {task.evidence: task for task in questions.order_by("-pk")}
        self.channels = owners.channels([record for record in records if record.status != Status.ANSWERED])
        disputed = {cited["document"] for record in records for cited in record.body["conflict"]}
        documents = Document.objects.filter(code__in=disputed).select_related("owner") if disputed else []
        self.owners = {document.code: name_of(document.owner) for document in documents if document.owner}

    def citations(self, cited: Sequence[Mapping[str, Any]]) -> tuple[Citation, ...]:
        return tuple(self._citation(one) for one in cited if one["revision_id"] in self.windows)

    def _citation(self, cited: Mapping[str, Any]) -> Citation:
        window = self.windows[cited["revision_id"]]
        return _citation(cited, current=bool(window) and self.today in window)


def verified(claim: Mapping[str, Any]) -> Claim:
    """A claim as the stream brings it, checked and recorded in this instant."""
    return Claim(0, claim["text"], tuple(_citation(cited, current=True) for cited in claim["citations"]), "")


def name_of(user: User) -> str:
    return user.get_full_name() or user.get_username()


def _shown(record: EvidenceRecord, question: str, known: _Known) -> Shown:
    body: dict[str, Any] = record.body
    claims = tuple(_claims(record, known))
    sources = known.citations(body["conflict"])
    told = (known.owners[cited["document"]] for cited in body["conflict"] if cited["document"] in known.owners)
    return Shown(
        evidence=record.id,
        status=record.status,
        question=question or body["question"],
        on=record.on,
        temporal=body["temporal"],
        recorded_at=record.recorded_at,
        missing=body["missing"] or "",
        claims=claims,
        sources=sources,
        related=known.citations(body["related"]),
        withheld=len(body["claims"]) - len(claims) + len(body["conflict"]) - len(sources),
        searched=tuple(dict.fromkeys(search["text"] for search in body["searches"])),
        told=tuple(dict.fromkeys(told)),
        channel=known.channels.get(record.id),
        sent=known.sent.get(str(record.id)),
        objection=known.objections.get((record.id, 0), ""),
    )


def _citation(cited: Mapping[str, Any], *, current: bool) -> Citation:
    values = {name: cited[name] for name in Citation.__slots__ if name in cited}
    days = {name: date.fromisoformat(cited[name]) if cited[name] else None for name in ("valid_from", "valid_until")}
    return Citation(**values | days, current=current)


def _claims(record: EvidenceRecord, known: _Known) -> Iterator[Claim]:
    """The claims of which a quote may still be read."""
    for number, claim in enumerate(record.body["claims"], 1):
        if citations := known.citations(claim["citations"]):
            yield Claim(number, claim["text"], citations, known.objections.get((record.id, number), ""))
