"""The portal as another person gets it. Who looks reads nothing by it that they may not read themselves.

An auditor is shown the whole answer of that person, with the words of those texts alone that both may read; of the
others the code. Anybody else is shown what the person would be answered from the texts that both may read: whether
there are others is not theirs to know. Each look is an event of the trail, with its reason, before anything is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from chat import assembly, recorder
from chat.parts import Corpus
from chat.pipeline import Ask, outcome_of, run
from chat.rules.outcome import Cited, Outcome
from chat.services import cleaned
from documents.errors import DomainError
from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.passage import Loaded, Passage
from documents.rules.types import GlossaryTerm, Reader, Reason, Role
from governance import audit
from governance.actions._transition import required
from governance.errors import Forbidden
from governance.models import Verb
from governance.permissions import known_documents, managed_documents, may_see_as, readable_revisions

LISTED = 100


class NotAnswering(DomainError):
    code = "unavailable"
    status = 503


@dataclass(frozen=True, slots=True)
class Row:
    """A document and whether the person is answered from it today; `reason` is None where no text is in force."""

    code: str
    title: str
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A source of the answer. `quote` is empty where who looks may not read the text."""

    code: str
    label: str
    section: str
    quote: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`whole` is False where only texts that both may read were searched. `text` of a claim is empty where one of its
    sources is not open to who looks."""

    status: str
    on: date
    claims: tuple[tuple[str, tuple[Shown, ...]], ...]
    others: tuple[Shown, ...]
    evidence: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Look:
    rows: tuple[Row, ...]
    total: int
    answer: Answer | None


def look(person: User, *, actor: User, reason: str, words: str = "", question: str = "") -> Look:
    """The documents as `person` gets them, and the answer to a question where one is given.

    Raises `Forbidden`, `ReasonRequired`, `BadQuestion`, `RecordFailed`, `NotAnswering`; then nothing is shown.
    """
    reason = required(reason)
    viewer, reader = reader_of(actor), reader_of(person)
    if not may_see_as(viewer) or not person.is_active:
        raise Forbidden(_("Only auditors and people in charge of a document may see the portal as another person."))
    answer = _answer(cleaned(question), reader, viewer, person, actor) if question.strip() else None
    with transaction.atomic():
        audit.record(
            Verb.SEEN_AS,
            actor=actor,
            target=f"reader:{reader.key}",
            before={},
            after={"evidence": answer.evidence if answer else "", "whole": answer.whole if answer else False},
            reason=reason,
        )
    rows, total = _rows(reader, actor, viewer, words)
    return Look(rows, total, answer)


def _rows(reader: Reader, actor: User, viewer: Reader, words: str) -> tuple[tuple[Row, ...], int]:
    """Of the documents that who looks may know of, or answers for."""
    auditor = Role.AUDITOR in viewer.roles
    documents = known_documents(actor, viewer) if auditor else managed_documents(viewer)
    for word in words.split():
        documents = documents.filter(title__icontains=word) | documents.filter(code__icontains=word)
    total = documents.count()
    listed = list(documents.order_by("code")[:LISTED])
    today = timezone.localdate()
    current = Revision.objects.filter(document__in=listed).in_force(today).with_reason(reader, today, today)
    reasons = dict(current.values_list("document_id", "reason"))
    rows = (Row(d.code, d.title, Reason(reasons[d.pk]) if d.pk in reasons else None) for d in listed)
    return tuple(rows), total


def _answer(question: str, reader: Reader, viewer: Reader, person: User, actor: User) -> Answer:
    whole = Role.AUDITOR in viewer.roles
    try:
        parts = assembly.parts()
    except assembly.UNAVAILABLE as error:
        raise NotAnswering(_("Part of the portal is not working: try again in a moment.")) from error
    if not whole:
        parts = replace(parts, corpus=Shared(parts.corpus, viewer))
    outcome = outcome_of(run(Ask(question, reader, timezone.localdate()), parts))
    # The record is theirs who looked: the other person never asked this. The trail says as whom they looked.
    names = [*recorder.names_of(person), *recorder.names_of(actor)]
    record = recorder.record(outcome, parts.versions, replace(reader, key=viewer.key), (), names)
    return _shown(outcome, _open_to(viewer, outcome), str(record.id), whole=whole)


def _shown(outcome: Outcome, opened: frozenset[str], evidence: str, *, whole: bool) -> Answer:
    def source(cited: Cited) -> Shown:
        passage = cited.passage
        readable = passage.revision_id in opened
        quote, section = (cited.quote, passage.section) if readable else ("", "")
        return Shown(passage.document, passage.revision, section, quote)

    claims = []
    for claim in outcome.claims:
        open_all = all(cited.passage.revision_id in opened for cited in claim.citations)
        claims.append((claim.text if open_all else "", tuple(map(source, claim.citations))))
    others = tuple(map(source, (*outcome.conflict, *outcome.related)))
    return Answer(str(outcome.status), outcome.on, tuple(claims), others, evidence, whole)


def _open_to(viewer: Reader, outcome: Outcome) -> frozenset[str]:
    """Ids of the revisions behind the answer whose text who looks may read."""
    ids = {int(one.passage.revision_id) for one in (*outcome.cited, *outcome.related)}
    return frozenset(str(pk) for pk in readable_revisions(viewer).filter(pk__in=ids).values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class Shared:
    """`chat.parts.Corpus` with what both may read: the person who would be answered, and the one who looks."""

    inner: Corpus
    viewer: Reader

    def audiences(self, reader: Reader) -> frozenset[str]:
        read = Document.objects.filter(pk__in=readable_revisions(self.viewer).order_by().values("document_id"))
        own = read.exclude(audience_key="").order_by().values_list("audience_key", flat=True).distinct()
        return self.inner.audiences(reader) & frozenset(own)

    def load(self, chunk_ids: Sequence[int], reader: Reader, on: date, today: date) -> list[Loaded]:
        loaded = self.inner.load(chunk_ids, reader, on, today)
        ids = {int(item.passage.revision_id) for item in loaded}
        both = set(readable_revisions(self.viewer, today).filter(pk__in=ids).values_list("pk", flat=True))
        return [item for item in loaded if int(item.passage.revision_id) in both]

    def still_linked(self, passages: Sequence[Passage]) -> bool:
        return self.inner.still_linked(passages)

    def glossary(self) -> Sequence[GlossaryTerm]:
        return self.inner.glossary()

    def prevails(self, reader: Reader, on: date) -> Callable[[str, str], tuple[str, bool] | None]:
        return self.inner.prevails(reader, on)
