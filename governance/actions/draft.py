"""Drafts: a text with its sections, as it came out of the extractor, before anybody decides on it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import PurePath
from typing import cast

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.models import Certainty, Document, Revision, Section
from documents.reader import reader_of
from documents.rules.normalise import text_hash
from documents.rules.types import Extraction, SectionSpan, State, Window
from governance import audit
from governance.actions._converge import converge_revisions
from governance.actions._rows import lock_all, locked, section_rows, with_files
from governance.actions._transition import facts, required
from governance.errors import Conflict, EmptyWindow, WrongState
from governance.models import Verb
from governance.permissions import check, subject_of
from governance.rules.moves import Duty


@dataclass(frozen=True, slots=True)
class Content:
    """One original file and what was read from it. `name` gives the extension under which it is kept."""

    name: str
    data: bytes
    media_type: str
    extraction: Extraction

    @property
    def content_hash(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class SourceTime:
    """When the source was seen, and how that is known."""

    at: datetime | None = None
    certainty: Certainty = Certainty.UNKNOWN


UNDATED = Window(None, None)
UNSEEN = SourceTime()


@dataclass(frozen=True, slots=True)
class Draft:
    """A revision to be, as `create_revision` takes it."""

    document_id: int
    label: str
    content: Content
    actor: AbstractBaseUser
    reason: str
    window: Window = UNDATED
    source: SourceTime = UNSEEN


def create_revision(
    document_id: int,
    label: str,
    content: Content,
    *,
    actor: AbstractBaseUser,
    reason: str,
    window: Window = UNDATED,
    source: SourceTime = UNSEEN,
) -> Revision:
    """A draft with its sections, whose author is `actor`. `window` is the validity that it is meant to have.

    Raises `Conflict` when the label is taken, `EmptyWindow`, `Forbidden`.
    """
    return create_revisions([Draft(document_id, label, content, actor, reason, window, source)])[0]


def create_revisions(drafts: Sequence[Draft]) -> list[Revision]:
    """The same for several documents, in this order: all of them, or none."""
    reasons = [required(draft.reason) for draft in drafts]
    rows: list[Revision] = []
    with with_files(rows), transaction.atomic(), audit.together():
        documents = lock_all({draft.document_id for draft in drafts})
        for draft in drafts:
            document = documents[draft.document_id]
            check(reader_of(draft.actor), subject_of(document), Duty.DRAFT)
            row = Revision(document=document, label=draft.label, validity=_range(draft.window))
            row.author = cast("User", draft.actor)
            row.source_at, row.source_certainty = draft.source.at, draft.source.certainty
            rows.append(row)
        _free([(row.document_id, row.label) for row in rows])
        for row, draft in zip(rows, drafts, strict=True):
            _fill(row, draft.content)
        Revision.objects.bulk_create(rows)
        texts = zip(rows, (draft.content.extraction for draft in drafts), strict=True)
        Section.objects.bulk_create([section for row, text in texts for section in section_rows(row, text.sections)])
        for row, draft, reason in zip(rows, drafts, reasons, strict=True):
            _record(Verb.REVISION_CREATED, row, {}, draft.actor, reason)
        converge_revisions(rows)
    return rows


def rewrite(
    revision_id: int, content: Content, *, actor: AbstractBaseUser, reason: str, window: Window | None = None
) -> Revision:
    """Replace the text of a draft, and its validity where `window` is given. Whoever rewrites becomes its author."""
    reason = required(reason)
    with transaction.atomic():
        revision = locked(revision_id)
        rewritable(revision)
        check(reader_of(actor), subject_of(revision.document, revision), Duty.DRAFT)
        before = facts(revision)
        revision.author_id = actor.pk
        if window is not None:
            revision.validity = _range(window)
        revision.sections.all().delete()
        _fill(revision, content)
        revision.save()
        write_sections(revision, content.extraction.sections)
        _record(Verb.REVISION_REWRITTEN, revision, before, actor, reason)
        converge_revisions([revision])
    return revision


def free(document: Document, label: str) -> None:
    """Nothing when the document has no revision with the label. Raises `Conflict`."""
    _free([(document.pk, label)])


def _free(wanted: Sequence[tuple[int, str]]) -> None:
    rows = Revision.objects.filter(document__in={document for document, _label in wanted}).order_by()
    taken = set(rows.values_list("document_id", "label"))
    for document, label in wanted:
        if (document, label) in taken:
            raise Conflict(_("This document already has a revision %(label)s.") % {"label": label})
        taken.add((document, label))


def rewritable(revision: Revision) -> None:
    """Nothing when the text may still be replaced. Raises `WrongState`."""
    if revision.state != State.DRAFT:
        raise WrongState(_("%(revision)s is not a draft any more: create a new revision.") % {"revision": revision})


def lasting(window: Window) -> None:
    """Nothing when the window holds a day. Raises `EmptyWindow`."""
    if window.empty:
        raise EmptyWindow(_("It would end before it begins. Choose an earlier start."))


def write_sections(revision: Revision, sections: Iterable[SectionSpan]) -> None:
    """The rows of a text's sections, in this order. For this package, and for who makes texts without a file."""
    Section.objects.bulk_create(section_rows(revision, sections))


def _record(
    verb: Verb, revision: Revision, before: dict[str, audit.Value], actor: AbstractBaseUser, reason: str
) -> None:
    target = audit.revision_target(revision)
    audit.record(verb, actor=actor, target=target, before=before, after=facts(revision), reason=reason)


def _fill(revision: Revision, content: Content) -> None:
    """The text of the file, and the file itself in its store."""
    extraction = content.extraction
    revision.content_hash = content.content_hash
    revision.media_type = content.media_type
    revision.text = extraction.text
    revision.text_hash = text_hash(extraction.text)
    revision.pages = [asdict(page) for page in extraction.pages]
    revision.extractor = extraction.extractor
    revision.warnings = [notice.kept() for notice in extraction.warnings]
    revision.extracted_at, revision.extracted_certainty = timezone.now(), Certainty.EXACT
    name = f"{revision.document.code}-{revision.label}{PurePath(content.name).suffix.lower()}"
    revision.file.save(name, ContentFile(content.data), save=False)


def _range(window: Window) -> DateRange | None:
    lasting(window)
    if window.start is None and window.until is None:
        return None
    return DateRange(window.start, window.until, "[)")
