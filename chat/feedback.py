"""What a reader objects to: kept for the evaluation, and sent to the owner of the text that is called wrong."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat import owners
from chat.models import EvidenceRecord, Feedback
from chat.recorder import names_of
from chat.rules.names import without_names
from chat.rules.privacy import redact
from documents.errors import DomainError
from documents.models import Document
from documents.reader import reader_of
from governance.actions.tasks import open_task
from governance.models import OwnerTask

LONGEST_COMMENT = 1000
OF_CLAIMS = (Feedback.Kind.WRONG_SOURCE, Feedback.Kind.INVENTED, Feedback.Kind.OUTDATED)


class BadFeedback(DomainError):
    code = "bad_feedback"
    status = 422


def give(record: EvidenceRecord, user: User, *, claim: int, kind: str, comment: str) -> Feedback:
    """An objection to a claim of the answer (from 1), or to its refusal (0). The first one of a person stands.

    The comment is kept without personal data, as the question is. Raises `BadFeedback`.
    """
    _check(record, claim, kind, comment)
    said = without_names(redact(comment.replace("\0", "").strip()).text, names_of(user))
    try:
        with transaction.atomic():
            given = Feedback.objects.create(user=user, evidence_id=record.id, claim=claim, kind=kind, comment=said)
            _tell(record, user, given)
    except IntegrityError:
        # A second click, or a second thought: the owner has been told already.
        return Feedback.objects.get(user=user, evidence_id=record.id, claim=claim)
    return given


def _check(record: EvidenceRecord, claim: int, kind: str, comment: str) -> None:
    if claim:
        fits = 1 <= claim <= len(record.body["claims"]) and kind in OF_CLAIMS
    else:
        fits = record.status in owners.UNANSWERED and kind == Feedback.Kind.REFUSED_WRONGLY
    if not fits:
        raise BadFeedback(_("Choose what is wrong with the answer."))
    if len(comment) > LONGEST_COMMENT:
        raise BadFeedback(_("Write a comment of at most %(most)d characters.") % {"most": LONGEST_COMMENT})


def _tell(record: EvidenceRecord, user: User, given: Feedback) -> None:
    body: dict[str, Any] = record.body
    documents: list[Document] = []
    owner: User | None = None
    claim = body["claims"][given.claim - 1] if given.claim else None
    if claim is not None:
        documents = list(Document.objects.filter(code=claim["citations"][0]["document"]))
    elif (to := owners.recipient(record, reader_of(user))) is not None:
        documents, owner = [to.document] if to.document else [], to.person
    with translation.override(settings.LANGUAGE_CODE):  # it is kept for the owner, who may read another language
        lines = [
            _("Objection: %(kind)s") % {"kind": given.get_kind_display()},
            _("Question: %(question)s") % {"question": body["standalone_question"]},
        ]
        if claim is not None:
            lines.append(_("Answer: %(text)s") % {"text": claim["text"]})
        if given.comment:
            lines.append(_("Comment: %(text)s") % {"text": given.comment})
    open_task(
        OwnerTask.Kind.FEEDBACK,
        documents,
        actor=user,
        reason=gettext_lazy("A reader objects to an answer."),
        evidence=str(record.id),
        note="\n".join(lines),
        owner=owner,
    )
