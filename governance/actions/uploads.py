"""From a file to a draft in two steps: it is read and shown, and only the very bytes that were shown become a text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.extractors import ExtractionError, codec, extract
from documents.extractors.base import media_type_of
from documents.extractors.words import refusal
from documents.models import Document, Revision
from documents.reader import reader_of
from documents.rules.notices import notice_of
from documents.rules.types import Extraction, PageSpan, Window
from governance.actions._transition import required
from governance.actions.draft import Content, create_revision, free, lasting, rewritable, rewrite
from governance.errors import Conflict, Invalid, NotFound
from governance.models import Upload
from governance.permissions import check, readable_revisions, subject_of
from governance.rules.moves import Duty

MOST_BYTES = 50_000_000
KEPT_FOR = timedelta(days=2)


class Unreadable(Invalid):
    """The file gives no text; the message says what to do."""

    code = "unreadable"


class ContentChanged(Conflict):
    code = "content_changed"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the file is to become: a new draft of the document, or the text of `revision`, a draft of it."""

    document: Document
    label: str
    window: Window
    revision: Revision | None = None


def hold(plan: Plan, file: UploadedFile, *, actor: AbstractBaseUser, reason: str) -> Upload:
    """Read the file and keep it for the second step. Raises `Unreadable`, `Forbidden`, `Conflict`, `EmptyWindow`."""
    reason = required(reason)
    _check(plan, actor)
    if (file.size or 0) > MOST_BYTES:
        raise Unreadable(
            _("The file has more than %(most)d MB: split it or take out images.") % {"most": MOST_BYTES // 1_000_000}
        )
    name, data = PurePath(str(file.name)).name, file.read()
    extraction = read(name, data)
    prune()
    upload = Upload(
        person_id=actor.pk,
        document=plan.document,
        revision=plan.revision,
        label=plan.label,
        valid_from=plan.window.start,
        valid_until=plan.window.until,
        reason=reason,
        name=name[:255],
        media_type=media_type_of(name),
        content_hash=hashlib.sha256(data).hexdigest(),
        extraction=codec.dump(extraction).decode(),
    )
    upload.file.save(f"upload{PurePath(name).suffix.lower()}", ContentFile(data), save=False)
    upload.save()
    return upload


def read(name: str, data: bytes) -> Extraction:
    """The text of a file, by the extractors in their subprocess. Raises `Unreadable`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"original{PurePath(name).suffix.lower()}"
        path.write_bytes(data)
        try:
            return extract(path)
        except ExtractionError as error:
            raise Unreadable(refusal(error)) from error


def held(upload_id: int, *, actor: AbstractBaseUser) -> Upload:
    """An upload of the person's own. Raises `NotFound`."""
    return _own(Upload.objects.all(), upload_id, actor)


def _own(rows: QuerySet[Upload], upload_id: int, actor: AbstractBaseUser) -> Upload:
    found = rows.select_related("document__area", "revision").filter(pk=upload_id, person_id=actor.pk)
    upload: Upload | None = found.first()
    if upload is None:
        raise NotFound(_("There is no such file, or it was given up: send it again."))
    return upload


def extraction_of(upload: Upload) -> Extraction:
    return codec.load(upload.extraction.encode())


def confirm(upload_id: int, *, actor: AbstractBaseUser, seen: str) -> Revision:
    """Make the draft of what was shown. `seen` is the content hash on the page: another one is `ContentChanged`."""
    with transaction.atomic():
        upload = _own(Upload.objects.select_for_update(of=("self",)), upload_id, actor)
        with upload.file.open("rb") as file:
            data = file.read()
        if not seen == upload.content_hash == hashlib.sha256(data).hexdigest():
            raise ContentChanged(_("This is not the file that you looked at. Send it again."))
        content = Content(upload.name, data, upload.media_type, extraction_of(upload))
        window = Window(upload.valid_from, upload.valid_until)
        if upload.revision_id is not None:
            revision = rewrite(upload.revision_id, content, actor=actor, reason=upload.reason, window=window)
        else:
            revision = create_revision(
                upload.document_id, upload.label, content, actor=actor, reason=upload.reason, window=window
            )
        drop(upload)
    return revision


def drop(upload: Upload) -> None:
    """Forget an upload, its file included once the transaction has ended."""
    storage, name = upload.file.storage, str(upload.file.name)
    upload.delete()
    transaction.on_commit(lambda: storage.delete(name))


def prune() -> None:
    """Forget what was left half-way days ago."""
    for old in Upload.objects.filter(created_at__lt=timezone.now() - KEPT_FOR)[:50]:
        drop(old)


def copy(revision_id: int, label: str, *, actor: AbstractBaseUser, reason: str) -> Revision:
    """A new draft with the file, the text and the sections of a revision. The actor must be able to read it.

    Raises `NotFound`, `Forbidden`, `Conflict`.
    """
    reason = required(reason)
    with transaction.atomic():
        person = reader_of(actor)
        # Who copies a text is its author, and so its reader: without this an area's people could read all of it.
        source = readable_revisions(person).select_related("document__area").filter(pk=revision_id).first()
        if source is None:
            raise NotFound(_("There is no such revision."))
        check(person, subject_of(source.document), Duty.DRAFT)
        with source.file.open("rb") as file:
            data = file.read()
        content = Content(source.file.name or source.label, data, source.media_type, _extraction(source))
        return create_revision(source.document_id, label, content, actor=actor, reason=reason)


def next_label(document: Document) -> str:
    """`v4` after `v3`; the first free number where labels are of another kind."""
    labels = set(document.revisions.values_list("label", flat=True))
    numbers = [int(label[1:]) for label in labels if label[:1] == "v" and label[1:].isascii() and label[1:].isdigit()]
    number = max(numbers, default=0) + 1
    while f"v{number}" in labels:
        number += 1
    return f"v{number}"


def _extraction(source: Revision) -> Extraction:
    """What was once read from the file, from the tables: another extractor may read it otherwise today."""
    return Extraction(
        text=source.text,
        sections=tuple(section.span for section in source.sections.order_by("ordinal")),
        pages=tuple(PageSpan(page["number"], page["start"], page["end"]) for page in source.pages),
        warnings=tuple(notice_of(kept) for kept in source.warnings),
        extractor=source.extractor,
    )


def _check(plan: Plan, actor: AbstractBaseUser) -> None:
    """What would refuse the second step is told before the file is read."""
    check(reader_of(actor), subject_of(plan.document, plan.revision), Duty.DRAFT)
    lasting(plan.window)
    if plan.revision is None:
        free(plan.document, plan.label)
    else:
        rewritable(plan.revision)
