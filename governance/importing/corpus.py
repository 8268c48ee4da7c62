"""A folder with `corpus.yaml` into the portal: check everything, then write, then index what changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from django.contrib.auth import get_user_model

from documents import jobs
from documents.errors import DomainError
from documents.extractors import ExtractionError, extract_many
from documents.models import Document, Job, Relation, Revision
from documents.rules.types import Extraction, Window
from documents.search.converge import converge
from governance.actions import precedence
from governance.importing import checks, people
from governance.importing.documents import REASON, Failed, Importer, Original, Report, UnreadableFile
from governance.importing.manifest import FILE, Manifest, Rule, read
from governance.importing.schema import Problem, Reading
from governance.models import PrecedenceRule
from governance.rules.precedence import PrecedenceKind

Progress = Callable[[str], None]


class BadManifest(DomainError):
    """Nothing was written; `problems` holds every one of them."""

    code = "bad_manifest"

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = sorted(problems)
        super().__init__(f"{len(problems)} problems in the manifest, nothing was written")


def import_corpus(folder: Path, progress: Progress, *, password: str | None = None) -> Report:
    """Import a corpus folder; running it again changes nothing. Raises `BadManifest` before anything is written.

    `password` is given to people that are made; without one they can't sign in with a password. Files are read in
    subprocesses, and their texts are embedded before the index is brought up to date.
    """
    reading = Reading(FILE)
    manifest = read(folder, reading)
    checks.check(manifest, reading)
    if reading.problems:
        raise BadManifest(reading.problems)
    people.write(manifest, password)
    report = Report()
    with jobs.gathering():
        _documents(folder, manifest, report, progress)
        for link in manifest.relations:
            _relate(link.kind, link.sources, link.target, link.reason)
        for rule in manifest.precedence:
            _precedence(rule, report)
    _index(progress)
    return report


def _index(progress: Progress) -> None:
    """Index what this import changed, and what an earlier one that was interrupted left waiting."""
    waiting = Job.objects.filter(kind="converge").exclude(state=Job.State.DONE)
    jobs_now = dict(waiting.values_list("pk", "argument"))
    ids = sorted({revision_id for revision_id in jobs_now.values() if revision_id is not None})
    converge(ids, lambda done, total: progress(f"embedding {done}/{total}"))
    jobs.settle(list(jobs_now))


def _documents(folder: Path, manifest: Manifest, report: Report, progress: Progress) -> None:
    names = dict.fromkeys(revision.file for entry in manifest.documents for revision in entry.revisions)
    originals = {name: _original(folder, name) for name in names}
    wanted = _to_extract(manifest, originals)
    texts: dict[Path, Extraction | ExtractionError] = {}
    for path, text in extract_many(wanted):
        texts[path] = text
        progress(f"reading {len(texts)}/{len(wanted)} {path.name}")

    def extract(original: Original) -> Extraction:
        text = texts[original.path]
        if isinstance(text, ExtractionError):
            raise UnreadableFile(f"{original.path.name}: {text.code}: {text.message}")
        return text

    importer = Importer(originals, extract, report)
    for number, entry in enumerate(manifest.documents, 1):
        importer.write(entry)
        if number % 10 == 0 or number == len(manifest.documents):
            progress(f"documents {number}/{len(manifest.documents)}")


def _original(folder: Path, name: str) -> Original | str:
    """The file, or why it can't be read. A name that leaves the folder is not followed."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        return f"{name}: outside of the corpus folder"
    try:
        data = path.read_bytes()
    except OSError as error:
        return f"{name}: can't be read: {error.strerror or error}"
    return Original(path, data, hashlib.sha256(data).hexdigest())


def _to_extract(manifest: Manifest, originals: dict[str, Original | str]) -> list[Path]:
    """Files that some revision does not hold yet: an unchanged folder reads none."""
    codes = [entry.code for entry in manifest.documents]
    known = set(Revision.objects.filter(document__code__in=codes).values_list("document__code", "content_hash"))
    paths: dict[Path, None] = {}
    for entry in manifest.documents:
        for revision in entry.revisions:
            original = originals[revision.file]
            if isinstance(original, Original) and (entry.code, original.content_hash) not in known:
                paths[original.path] = None
    return list(paths)


def _relate(kind: str, sources: tuple[str, ...], target: str, reason: str) -> None:
    rows = Document.objects.in_bulk([*sources, target], field_name="code")
    for source in sources:
        if source in rows and target in rows:
            Relation.objects.update_or_create(
                kind=kind, source=rows[source], target=rows[target], defaults={"reason": reason}
            )


def _precedence(rule: Rule, report: Report) -> None:
    rows = Document.objects.in_bulk([rule.prevails, rule.over], field_name="code")
    owner = get_user_model().objects.get(username=rule.owner)
    if len(rows) < 2 or PrecedenceRule.objects.filter(prevails__code=rule.prevails, over__code=rule.over).exists():
        return
    data = precedence.RuleData(
        prevails=rows[rule.prevails],
        over=rows[rule.over],
        owner=owner,
        kind=PrecedenceKind(rule.kind),
        validity=Window(rule.valid_from, rule.valid_until),
        except_units=rule.except_units,
        except_jurisdictions=rule.except_jurisdictions,
    )
    try:
        precedence.create_rule(data, actor=owner, reason=rule.reason or REASON)
    except DomainError as error:
        report.failed.append(Failed(rule.prevails, f"precedence over {rule.over}", str(error)))
