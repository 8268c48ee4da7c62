"""Who answers for what a person asked in vain, and the letter that reaches them: shown first, then sent as it is."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.models import EvidenceRecord, Message
from chat.rules.types import Status
from documents import corpus
from documents.errors import DomainError
from documents.models import Area, Channel, Document
from documents.reader import reader_of
from documents.rules.types import Reader
from governance.actions.tasks import open_task
from governance.models import OwnerTask
from governance.permissions import readable_documents

NEAREST = 5
"""Passages that say whose question it seems to be."""
UNANSWERED = frozenset({Status.NOT_FOUND, Status.BLOCKED})


class NobodyToAsk(DomainError):
    code = "nobody_to_ask"
    status = 409


@dataclass(frozen=True, slots=True)
class Recipient:
    """The owner who gets it, and the document that makes it theirs; without one they own most of their area."""

    person: User
    document: Document | None


def nearest_documents(record: EvidenceRecord, reader: Reader) -> list[Document]:
    """Documents that the person may read, the ones offered first, then those whose passages ranked best."""
    body: dict[str, Any] = record.body
    codes = [cited["document"] for cited in body["related"]] + [item["document"] for item in _best(body)]
    held = readable_documents(reader).filter(code__in=codes).select_related("area", "owner")
    by_code = {document.code: document for document in held}
    return [by_code[code] for code in dict.fromkeys(codes) if code in by_code]


def channels(records: Sequence[EvidenceRecord]) -> dict[uuid.UUID, Channel]:
    """Where to ask a person, by the id of the record: the channel of the area whose passages came first."""
    best = {record.id: [item["document"] for item in _best(record.body)] for record in records}
    codes = {code for held in best.values() for code in held}
    areas = dict(Document.objects.filter(code__in=codes).values_list("code", "area__slug")) if codes else {}
    first = {name: _most(areas[code] for code in held if code in areas) for name, held in best.items()}
    known = {area: corpus.channel(area) for area in set(first.values())}
    return {name: channel for name, area in first.items() if (channel := known[area]) is not None}


def recipient(record: EvidenceRecord, reader: Reader) -> Recipient | None:
    """The owner of the nearest document; else who owns most documents of its area, else of the person's own areas."""
    near = nearest_documents(record, reader)
    for document in near:
        if document.owner is not None and document.owner.is_active:
            return Recipient(document.owner, document)
    own = Area.objects.filter(slug__in=sorted(reader.areas)).order_by("slug")
    for area in (*(document.area for document in near), *own):
        if (person := _answers_for(area)) is not None:
            return Recipient(person, None)
    return None


def letter(record: EvidenceRecord) -> str:
    """What is sent, to the letter: the question without personal data, its day, and what came of it.

    In the portal's own language: it is kept, and whoever reads it may read another than the one who asked.
    """
    body: dict[str, Any] = record.body
    with translation.override(settings.LANGUAGE_CODE):
        lines = [
            _("Question: %(question)s") % {"question": body["standalone_question"]},
            _("Rules of: %(day)s") % {"day": date_format(record.on, "SHORT_DATE_FORMAT")},
            _("The portal found no answer in the base.")
            if record.status == Status.NOT_FOUND
            else _("The portal may not quote the text that would answer."),
        ]
        return "\n".join(lines)


@transaction.atomic
def send(record: EvidenceRecord, user: User) -> OwnerTask:
    """The question into the owner's inbox, once for each answer. Raises `NobodyToAsk`."""
    # The row of the answer is the lock: a double click waits here and finds the task of the first.
    list(Message.objects.select_for_update().filter(evidence_id=record.id, conversation__user=user))
    sent = OwnerTask.objects.filter(kind=OwnerTask.Kind.QUESTION, evidence=str(record.id)).first()
    if sent is not None:
        return sent
    to = recipient(record, reader_of(user)) if record.status in UNANSWERED else None
    if to is None:
        raise NobodyToAsk(_("Nobody is known who answers for this subject. Use the channel instead."))
    return open_task(
        OwnerTask.Kind.QUESTION,
        [to.document] if to.document else [],
        actor=user,
        reason=gettext_lazy("A reader sent a question that the base did not answer."),
        evidence=str(record.id),
        note=letter(record),
        owner=to.person,
    )


def _best(body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    ranked = (item for item in body["candidates"] if item["rank"] is not None)
    return sorted(ranked, key=lambda item: item["rank"])[:NEAREST]


def _most(areas: Iterable[str]) -> str | None:
    found = Counter(areas).most_common(1)
    return found[0][0] if found else None


def _answers_for(area: Area) -> User | None:
    people = User.objects.filter(is_active=True, owned_documents__area=area)
    return people.annotate(owned=Count("owned_documents")).order_by("-owned", "pk").first()
