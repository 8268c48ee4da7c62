"""Folders that arrive by the admin: kept, looked at, and imported in the background once their sender says so."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from time import monotonic

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from documents import jobs
from documents.errors import DomainError
from documents.reader import reader_of
from governance import audit
from governance.actions._transition import required
from governance.errors import Forbidden, NotFound, WrongState
from governance.importing.archive import MOST_ARCHIVE_BYTES, BadArchive, unpack
from governance.importing.corpus import BadManifest, import_corpus
from governance.importing.dry_run import dry_run
from governance.models import CorpusImport, Verb
from governance.permissions import may_import

TOLD_EVERY = 1.0
KEPT_FOR = timedelta(days=7)
"""An archive is kept so long after the last that happened to it; its row stays and tells what came of it."""


def receive(file: UploadedFile, *, actor: User) -> CorpusImport:
    """Keep the archive and have it looked at. Raises `Forbidden`, `BadArchive` where it is too large."""
    _check(actor)
    if (file.size or 0) > MOST_ARCHIVE_BYTES:
        raise BadArchive(
            _("The archive has more than %(most)d MB: split it.") % {"most": MOST_ARCHIVE_BYTES // 1_000_000}
        )
    prune()
    digest = hashlib.sha256()
    for block in file.chunks():
        digest.update(block)
    row = CorpusImport(person=actor, name=PurePath(str(file.name)).name[:255], content_hash=digest.hexdigest())
    row.language = translation.get_language() or ""
    file.seek(0)
    row.file.save("corpus.zip", file, save=False)
    with transaction.atomic():
        row.save()
        jobs.schedule("check_import", row.pk)
    return row


def start(import_id: int, *, actor: User, reason: str, seen: str) -> CorpusImport:
    """Begin the import of what was shown: `seen` is the hash of the archive on the page."""
    reason = required(reason)
    with transaction.atomic():
        row = _own(import_id, actor)
        _check(actor)
        if row.state != CorpusImport.State.PLANNED or seen != row.content_hash:
            raise WrongState(_("This folder is not waiting to be imported."))
        row.state, row.reason, row.progress = CorpusImport.State.RUNNING, reason, ""
        row.language = translation.get_language() or ""
        row.save(update_fields=["state", "reason", "progress", "language", "updated_at"])
        audit.record(
            Verb.IMPORT_STARTED,
            actor=actor,
            target=f"import:{row.pk}",
            before={},
            after={"archive": row.content_hash, "name": row.name},
            reason=reason,
        )
        jobs.schedule("import", row.pk)
    return row


def settle(import_id: int, *, actor: User) -> CorpusImport:
    """Take it off the list of what waits: given up, or its failures were seen."""
    with transaction.atomic():
        row = _own(import_id, actor)
        if row.state in (CorpusImport.State.RUNNING, CorpusImport.State.CHECKING):
            raise WrongState(_("It is still being worked on."))
        if row.state == CorpusImport.State.PLANNED:
            row.state = CorpusImport.State.DROPPED
        row.settled_at = timezone.now()
        row.save(update_fields=["state", "settled_at", "updated_at"])
    return row


@transaction.atomic
def prune() -> None:
    """Forget the archives of folders that are done with, or were left unanswered: those are given up."""
    busy = (CorpusImport.State.CHECKING, CorpusImport.State.RUNNING)
    rows = CorpusImport.objects.select_for_update(of=("self",), skip_locked=True).exclude(file="")
    for row in rows.exclude(state__in=busy).filter(updated_at__lt=timezone.now() - KEPT_FOR)[:50]:
        transaction.on_commit(partial(row.file.storage.delete, str(row.file.name)))
        row.file = ""
        if row.state == CorpusImport.State.PLANNED:
            row.state, row.settled_at = CorpusImport.State.DROPPED, timezone.now()
        row.save(update_fields=["file", "state", "settled_at", "updated_at"])


def check(import_id: int) -> None:
    """The job that looks: problems of the manifest with their lines, else a line for each revision."""
    row = CorpusImport.objects.select_related("person").filter(pk=import_id, state="checking").first()
    if row is None:
        return
    with _in_its_language(row):
        _look(row)
    row.progress = ""
    row.save(update_fields=["state", "planned", "progress", "updated_at"])


def _look(row: CorpusImport) -> None:
    try:
        with _unpacked(row) as folder:
            lines = dry_run(folder, _Progress(row.pk), alone=_alone(row))
    except BadManifest as error:
        row.state = CorpusImport.State.REFUSED
        row.planned = {"problems": [asdict(problem) for problem in error.problems]}
    except BadArchive as error:
        row.state, row.planned = CorpusImport.State.REFUSED, {"error": str(error.message)}
    else:
        row.state, row.planned = CorpusImport.State.PLANNED, {"lines": [asdict(line) for line in lines]}


def carry_out(import_id: int) -> None:
    """The job that imports. Done again after an interruption it goes on: what is in already changes nothing."""
    row = CorpusImport.objects.select_related("person").filter(pk=import_id, state="running").first()
    if row is None:
        return
    with _in_its_language(row):
        _import(row)
    row.progress = ""
    row.save(update_fields=["state", "report", "progress", "updated_at"])


def _import(row: CorpusImport) -> None:
    if row.person is None or not row.person.is_active or not may_import(row.person, reader_of(row.person)):
        row.state, row.report = CorpusImport.State.REFUSED, {"error": _("Its sender may not import any more.")}
    else:
        try:
            with _unpacked(row) as folder:
                report = import_corpus(folder, _Progress(row.pk), actor=row.person if _alone(row) else None)
        except DomainError as error:
            problems = [asdict(problem) for problem in getattr(error, "problems", ())]
            row.state, row.report = CorpusImport.State.BROKEN, {"error": str(error.message), "problems": problems}
        else:
            row.state = CorpusImport.State.BROKEN if report.failed else CorpusImport.State.DONE
            row.report = asdict(report)


class _Progress:
    """Writes the newest line of progress at most once a second."""

    def __init__(self, import_id: int) -> None:
        self._id = import_id
        self._told = 0.0

    def __call__(self, line: str) -> None:
        if monotonic() - self._told > TOLD_EVERY:
            CorpusImport.objects.filter(pk=self._id).update(progress=line[:200], updated_at=timezone.now())
            self._told = monotonic()


@contextmanager
def _unpacked(row: CorpusImport) -> Iterator[Path]:
    with TemporaryDirectory(prefix="kbportal-import-") as folder, row.file.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != row.content_hash:
            raise BadArchive(_("The archive changed since it arrived: send it again."))
        file.seek(0)
        yield unpack(file, Path(folder))


def _in_its_language(row: CorpusImport) -> AbstractContextManager[None]:
    """What the job tells is for the person who sent the folder."""
    return translation.override(row.language or settings.LANGUAGE_CODE)


def _alone(row: CorpusImport) -> bool:
    """An administrator's folder is imported as by the command; anybody else's does what its sender may do."""
    return row.person is None or not row.person.is_superuser


def _own(import_id: int, actor: User) -> CorpusImport:
    rows = CorpusImport.objects.select_for_update(of=("self",))
    row: CorpusImport | None = rows.filter(pk=import_id, person_id=actor.pk).first()
    if row is None:
        raise NotFound(_("There is no such import."))
    return row


def _check(actor: User) -> None:
    if not may_import(actor, reader_of(actor)):
        raise Forbidden(_("Only people who may write drafts may import a folder."))
