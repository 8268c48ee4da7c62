"""A folder with `corpus.yaml` into the portal: check everything, then write, then index what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from documents import jobs
from documents.errors import DomainError
from documents.models import Area, Document, Job, Revision
from documents.rules.types import State, Window
from documents.search import active
from documents.search.converge import converge
from documents.search.rebuild import RebuildRefused, reindex
from governance.importing import checks, links, people
from governance.importing.blocks import blocks_of, write
from governance.importing.documents import Importer
from governance.importing.items import Work, item_of
from governance.importing.loading import read
from governance.importing.manifest import FILE, DocumentEntry, Manifest
from governance.importing.moves import People
from governance.importing.originals import Originals, Texts, UnreadableFile
from governance.importing.plan import Held, plan
from governance.importing.report import Failed, Report
from governance.importing.schema import Problem, Reading

Progress = Callable[[str], None]
NO_DAY = Window(date.min, date.min)


class BadManifest(DomainError):
    """Nothing was written; `problems` holds every one of them."""

    code = "bad_manifest"

    def __init__(self, problems: Sequence[Problem] = ()) -> None:
        self.problems = sorted(problems)
        told = ngettext(
            "%(n)d problem in the manifest, nothing was written",
            "%(n)d problems in the manifest, nothing was written",
            len(problems),
        )
        super().__init__(told % {"n": len(problems)})


def import_corpus(
    folder: Path, progress: Progress, *, password: str | None = None, actor: AbstractBaseUser | None = None
) -> Report:
    """Import a corpus folder; running it again changes nothing, and after an interruption it completes.

    Raises `BadManifest` before anything is written. `password` is given to people that are made; without one they
    can't sign in with a password. Files are read in subprocesses; a file that can't be read is in the report. With
    `actor` that person does everything, by what they may themselves, and the folder may hold documents alone.
    """
    manifest = checked(folder, alone=actor is not None)
    people.write(manifest, password)
    report = Report()
    with jobs.gathering():
        known = people.named(manifest, actor)
        _documents(folder, manifest, known, report, progress)
        report.failed.extend(links.write(manifest, known))
    _index(progress)
    return report


def checked(folder: Path, *, alone: bool = False) -> Manifest:
    """The manifest of a folder, without a problem. Raises `BadManifest` with every one of them."""
    reading = Reading(FILE)
    manifest = read(folder, reading)
    checks.check(manifest, folder, reading)
    if alone:
        checks.documents_alone(manifest, reading)
    if reading.problems:
        raise BadManifest(reading.problems)
    return manifest


def works_of(folder: Path, manifest: Manifest) -> tuple[dict[str, Document], dict[str, list[Work | Failed]]]:
    """By code: the documents that are there, and what is to be done for each revision. Nothing is read but bytes."""
    rows = {row.code: row for row in _rows(manifest)}
    held, originals = _held(rows), Originals(folder)
    return rows, {entry.code: _work(entry, originals, held.get(entry.code, ())) for entry in manifest.documents}


def _documents(folder: Path, manifest: Manifest, known: People, report: Report, progress: Progress) -> None:
    rows, works = works_of(folder, manifest)
    paths = [
        work.original.path
        for entry in manifest.documents
        for work in works[entry.code]
        if isinstance(work, Work) and work.plan.needs_text
    ]
    texts = Texts(paths, progress)
    try:
        importer, done = Importer(known, Area.objects.in_bulk(field_name="slug")), 0
        items = (item_of(entry, rows.get(entry.code), works[entry.code], texts) for entry in manifest.documents)
        for block in blocks_of(items):
            report.add(write(block, importer))
            done += len(block)
            progress(_("documents %(n)d/%(total)d") % {"n": done, "total": len(manifest.documents)})
    finally:
        texts.close()


def _rows(manifest: Manifest) -> list[Document]:
    codes = [entry.code for entry in manifest.documents]
    return list(Document.objects.filter(code__in=codes).select_related("area", "owner"))


def _held(rows: Mapping[str, Document]) -> dict[str, list[Held]]:
    """The revisions that the portal holds of these documents, oldest first."""
    revisions = Revision.objects.filter(document__in=rows.values()).order_by("pk")
    held: dict[str, list[Held]] = {}
    columns = ("document__code", "pk", "label", "state", "content_hash", "validity", "in_force")
    for code, pk, label, state, content_hash, validity, in_force in revisions.values_list(*columns):
        counts = None if in_force is None else _window(in_force)
        one = Held(pk, label, State(state), content_hash, _window(validity), counts)
        held.setdefault(code, []).append(one)
    return held


def _work(entry: DocumentEntry, originals: Originals, held: Sequence[Held]) -> list[Work | Failed]:
    today = timezone.localdate()
    works: list[Work | Failed] = []
    for revision in entry.revisions:
        try:
            original = originals.get(revision.file)
        except UnreadableFile as error:
            works.append(Failed(entry.code, revision.label, str(error)))
        else:
            step = plan(revision, original.content_hash, held, entry.labels, today)
            works.append(Work(revision, step, original))
    return works


def _index(progress: Progress) -> None:
    """Index what this import changed, and what an earlier one that was interrupted left waiting."""
    version = active.version()
    rows = Job.objects.filter(kind="converge").exclude(state=Job.State.DONE).values_list("pk", "argument")
    waiting = dict(rows)
    if version is not None and not active.fits(version):
        progress(_("the index was made by another model or other rules: making it anew"))
        try:
            reindex(lambda done, total: progress(_indexing(done, total)))
        except RebuildRefused as error:
            progress(_("not indexed: %(why)s") % {"why": error})
            return
    elif waiting or version is None:
        ids = sorted({revision_id for revision_id in waiting.values() if revision_id is not None})
        converge(ids, lambda done, total: progress(_indexing(done, total)))
    jobs.settle(list(waiting))


def _indexing(done: int, total: int) -> str:
    return _("indexing revisions %(n)d/%(total)d") % {"n": done, "total": total}


def _window(validity: DateRange | None) -> Window:
    if validity is None:
        return Window(None, None)
    return NO_DAY if validity.isempty else Window(validity.lower, validity.upper)
