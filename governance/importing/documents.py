"""One document of a manifest into the portal, through the actions that people use and as the people it names."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError
from django.utils import timezone

from documents.errors import DomainError
from documents.models import Area, Certainty, Document, Revision
from documents.rules.types import Extraction, State, Window
from governance.actions import access, document, draft, publication, review
from governance.importing.manifest import DocumentEntry, RevisionEntry
from governance.importing.people import importer

REASON = "Importação do manifesto"
ORDER = {state: place for place, state in enumerate(State)}


@dataclass(frozen=True, slots=True)
class Failed:
    """A revision that did not go in: its document, its label and why, in words."""

    code: str
    revision: str
    reason: str


@dataclass(slots=True)
class Report:
    created: int = 0
    unchanged: int = 0
    updated: int = 0
    failed: list[Failed] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Original:
    """A file of the folder as it was read once: its bytes, its hash and when it was last written."""

    path: Path
    data: bytes
    content_hash: str


Extract = Callable[[Original], Extraction]


@dataclass(frozen=True, slots=True)
class Importer:
    """Writes documents. `extract` gives the text of an original and raises what the report then tells."""

    originals: Mapping[str, Original | str]
    extract: Extract
    report: Report

    def write(self, entry: DocumentEntry) -> Document | None:
        """The document and its revisions, oldest first. A revision that fails is reported; the next ones go on."""
        try:
            row = self._document(entry)
        except DomainError as error:
            self.report.failed.extend(Failed(entry.code, r.label, str(error)) for r in entry.revisions)
            return None
        for revision in entry.revisions:
            try:
                self._revision(row, entry, revision)
            except (DomainError, IntegrityError, UnreadableFile) as error:
                self.report.failed.append(Failed(entry.code, revision.label, str(error)))
        if not entry.owner and row.owner_id is not None:
            access.set_owner(row.pk, None, actor=importer(), reason=f"{REASON}: sem responsável")
        return row

    def _document(self, entry: DocumentEntry) -> Document:
        data = document.DocumentData(
            title=entry.title,
            kind=entry.kind,
            area=Area.objects.get(slug=entry.area),
            authority=entry.authority,
            classification=entry.classification,
            history=entry.history,
            scope_units=entry.units,
            scope_jurisdictions=entry.jurisdictions,
            scope_products=entry.products,
            subjects=entry.subjects,
            risk=entry.risk,
            source_kind=entry.source_kind,
            source_uri=entry.source_uri,
        )
        owner = _user(entry.owner) if entry.owner else importer()
        row = Document.objects.filter(code=entry.code).select_related("area", "owner").first()
        if row is None:
            return document.create_document(
                entry.code, data, owner=owner, readers=entry.readers, actor=importer(), reason=REASON
            )
        if entry.owner and row.owner_id != owner.pk:
            access.set_owner(row.pk, owner, actor=_in_charge(row, entry), reason=REASON)
        changed = document.set_data(row.pk, data, actor=_in_charge(row, entry), reason=REASON)
        changed |= access.set_readers(row.pk, entry.readers, actor=_in_charge(row, entry), reason=REASON)
        self.report.updated += changed
        return Document.objects.select_related("area", "owner").get(pk=row.pk)

    def _revision(self, row: Document, entry: DocumentEntry, wanted: RevisionEntry) -> None:
        original = self.originals[wanted.file]
        if isinstance(original, str):
            raise UnreadableFile(original)
        current = _latest(row, wanted.label)
        if current is not None and current.content_hash == original.content_hash:
            moved = _walk(current, entry, wanted)
            self.report.updated += moved
            self.report.unchanged += not moved
            return
        revision = self._draft(row, entry, wanted, original, current)
        _walk(revision, entry, wanted)
        self.report.created += 1

    def _draft(
        self, row: Document, entry: DocumentEntry, wanted: RevisionEntry, original: Original, current: Revision | None
    ) -> Revision:
        content = draft.Content(
            name=original.path.name,
            data=original.data,
            media_type=mimetypes.guess_type(original.path.name)[0] or "application/octet-stream",
            extraction=self.extract(original),
        )
        author = _user(wanted.author or entry.owner) if wanted.author or entry.owner else importer()
        seen = datetime.fromtimestamp(original.path.stat().st_mtime, UTC)
        source = draft.SourceTime(seen, Certainty.INFERRED)
        window = Window(wanted.valid_from, wanted.valid_until)
        if current is None:
            return draft.create_revision(
                row.pk, wanted.label, content, actor=author, reason=REASON, window=window, source=source
            )
        if current.state == State.DRAFT:
            return draft.rewrite(current.pk, content, actor=author, reason=REASON, window=window)
        return draft.create_revision(
            row.pk,
            _next_label(row, wanted.label),
            content,
            actor=author,
            reason=f"{REASON}: o arquivo mudou",
            window=_window_of_change(current, window),
            source=source,
        )


class UnreadableFile(Exception):
    """The file gives no text; the message says why and what to do."""


def _walk(revision: Revision, entry: DocumentEntry, wanted: RevisionEntry) -> bool:
    """Take the revision through the actions up to the state that is wanted; whether it moved."""
    state = State(revision.state)
    if ORDER[state] >= ORDER[wanted.state]:
        return False
    approver = _user(wanted.approver) if wanted.approver else None
    if state is State.DRAFT:
        review.submit(revision.pk, actor=_author(revision), reason=REASON)
    if wanted.state is State.IN_REVIEW or approver is None:
        return True
    if state in (State.DRAFT, State.IN_REVIEW):
        review.approve(revision.pk, actor=approver, reason=REASON)
    if wanted.state is State.APPROVED:
        return True
    if state is not State.PUBLISHED:
        publication.publish(revision.pk, actor=approver, reason=REASON)
    if wanted.state is State.RETIRED:
        publication.retire(revision.pk, actor=approver, reason=REASON, on=_retired_on(wanted))
    return True


def _retired_on(wanted: RevisionEntry) -> date:
    today = timezone.localdate()
    return min(wanted.valid_until or today, today)


def _window_of_change(current: Revision, window: Window) -> Window:
    """A text that changed cannot have been in force before the change was seen: it begins today at the earliest."""
    if current.state not in (State.PUBLISHED, State.RETIRED) or window.start is None:
        return window
    start = max(window.start, timezone.localdate())
    return window if window.until is not None and window.until <= start else Window(start, window.until)


def _latest(row: Document, label: str) -> Revision | None:
    """The newest revision that came of this label: `v3`, or `v3-2`, `v3-3` where the file of `v3` has changed."""
    family = [r for r in row.revisions.order_by("pk") if r.label == label or _is_change(r.label, label)]
    return family[-1] if family else None


def _next_label(row: Document, label: str) -> str:
    changes = sum(_is_change(other, label) for other in row.revisions.values_list("label", flat=True))
    return f"{label}-{changes + 2}"


def _is_change(label: str, base: str) -> bool:
    prefix, _dash, number = label.rpartition("-")
    return prefix == base and number.isdigit()


def _in_charge(row: Document, entry: DocumentEntry) -> AbstractBaseUser:
    """Who may change the document's data: its owner as it stands, else an approver that the manifest names."""
    if row.owner is not None:
        return row.owner
    approver = next((r.approver for r in entry.revisions if r.approver), "")
    return _user(approver) if approver else importer()


def _author(revision: Revision) -> AbstractBaseUser:
    author = revision.author
    return author if author is not None else importer()


def _user(username: str) -> AbstractBaseUser:
    return get_user_model().objects.get(username=username)
