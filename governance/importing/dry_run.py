"""What an import would do, told before it does anything: a line for each revision, and why some would not go in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from documents.models import Document
from governance.importing.corpus import checked, works_of
from governance.importing.documents import refused
from governance.importing.items import Work
from governance.importing.manifest import DocumentEntry
from governance.importing.plan import Step
from governance.importing.report import Failed


class Fate(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    MOVED = "moved"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Line:
    """One revision, or a document without any (`revision` is then empty). `why` is a sentence where it is refused."""

    code: str
    revision: str
    fate: Fate
    state: str
    new_document: bool
    why: str = ""


def dry_run(folder: Path, *, alone: bool) -> list[Line]:
    """Raises `BadManifest` with every problem of the manifest. No text is extracted: a file may still be unreadable."""
    manifest = checked(folder, alone=alone)
    rows, works = works_of(folder, manifest)
    return [line for entry in manifest.documents for line in _lines(entry, rows.get(entry.code), works[entry.code])]


def _lines(entry: DocumentEntry, row: Document | None, works: Sequence[Work | Failed]) -> Iterator[Line]:
    new = row is None
    if not works:
        yield Line(entry.code, "", Fate.NEW if new else Fate.UNCHANGED, "", new)
    for work in works:
        if isinstance(work, Failed):
            yield Line(entry.code, work.revision, Fate.REFUSED, "", new, work.reason)
            continue
        why = refused(work)
        yield Line(entry.code, work.plan.label, Fate.REFUSED if why else _fate(work), str(work.entry.state), new, why)


def _fate(work: Work) -> Fate:
    if work.plan.is_done(work.entry.state):
        return Fate.UNCHANGED
    return {
        Step.KEEP: Fate.MOVED,
        Step.CREATE: Fate.NEW,
        Step.SUCCEED: Fate.NEW,
        Step.REWRITE: Fate.CHANGED,
        Step.REWORK: Fate.CHANGED,
    }[work.plan.step]
