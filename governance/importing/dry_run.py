"""What an import would do, told before it does anything: a line for each revision, and why some would not go in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from documents.extractors.words import warning
from documents.models import Area, Document
from documents.rules.types import Extraction
from governance.importing import data
from governance.importing.corpus import checked, works_of
from governance.importing.documents import refused
from governance.importing.items import Work, item_of
from governance.importing.manifest import DocumentEntry
from governance.importing.originals import Texts
from governance.importing.plan import Step
from governance.importing.report import Failed


class Fate(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    MOVED = "moved"
    DATA = "data"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Line:
    """One revision, or a document itself (`revision` is then empty).

    `why` says why it is refused, which of a document's data change, or what its owner should look at in the text.
    """

    code: str
    revision: str
    fate: Fate
    state: str
    new_document: bool
    why: str = ""


def dry_run(folder: Path, progress: Callable[[str], None], *, alone: bool) -> list[Line]:
    """Raises `BadManifest` with every problem of the manifest. Every file that would go in is read."""
    manifest = checked(folder, alone=alone)
    rows, works = works_of(folder, manifest)
    areas = Area.objects.in_bulk(field_name="slug")
    planned = [work for entry in manifest.documents for work in works[entry.code] if isinstance(work, Work)]
    texts = Texts([work.original.path for work in planned if work.plan.needs_text], progress)
    try:
        items = (item_of(entry, rows.get(entry.code), works[entry.code], texts) for entry in manifest.documents)
        return [line for item in items for line in _lines(item.entry, item.row, areas.get(item.entry.area), item.works)]
    finally:
        texts.close()


def _lines(
    entry: DocumentEntry,
    row: Document | None,
    area: Area | None,
    works: Sequence[tuple[Work | Failed, Extraction | None]],
) -> Iterator[Line]:
    new = row is None
    changed = data.changes(entry, row, area) if row is not None else []
    if changed:
        yield Line(entry.code, "", Fate.DATA, "", new, ", ".join(changed))
    elif not works:
        yield Line(entry.code, "", Fate.NEW if new else Fate.UNCHANGED, "", new)
    for work, text in works:
        if isinstance(work, Failed):
            yield Line(entry.code, work.revision, Fate.REFUSED, "", new, work.reason)
            continue
        why = refused(work, text)
        fate = Fate.REFUSED if why else _fate(work)
        told = why or (" ".join(warning(notice).text for notice in text.warnings) if text is not None else "")
        yield Line(entry.code, work.plan.label, fate, str(work.entry.state), new, told)


def _fate(work: Work) -> Fate:
    current = work.plan.current
    if work.plan.step is Step.KEEP and current is not None and current.state is work.entry.state:
        return Fate.UNCHANGED
    return {
        Step.KEEP: Fate.MOVED,
        Step.CREATE: Fate.NEW,
        Step.SUCCEED: Fate.NEW,
        Step.REWRITE: Fate.CHANGED,
        Step.REWORK: Fate.CHANGED,
    }[work.plan.step]
