"""What an import has in hand of a document: what is to be done for each revision, and the texts of their files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from documents.models import Document
from documents.rules.types import Extraction
from governance.importing.manifest import DocumentEntry, RevisionEntry
from governance.importing.originals import Original, Texts, UnreadableFile
from governance.importing.plan import Plan
from governance.importing.report import Failed


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done for one revision, and with which file."""

    entry: RevisionEntry
    plan: Plan
    original: Original


@dataclass(frozen=True, slots=True)
class Item:
    """A document of the manifest: its row, None when it is new, and its revisions, oldest first, with their texts."""

    entry: DocumentEntry
    row: Document | None
    works: Sequence[tuple[Work | Failed, Extraction | None]]

    @property
    def size(self) -> int:
        """What is in memory of it until it is written: bytes of files, characters of texts."""
        files = sum(work.original.size for work, _text in self.works if isinstance(work, Work))
        return files + sum(len(text.text) for _work, text in self.works if text is not None)

    @property
    def readable(self) -> list[tuple[Work, Extraction]]:
        """The revisions whose texts have been read."""
        return [(work, text) for work, text in self.works if isinstance(work, Work) and text is not None]


def item_of(entry: DocumentEntry, row: Document | None, works: Iterable[Work | Failed], texts: Texts) -> Item:
    """Read what is to be read, outside of any transaction: it may take its time."""
    return Item(entry, row, [_read(entry, work, texts) for work in works])


def _read(entry: DocumentEntry, work: Work | Failed, texts: Texts) -> tuple[Work | Failed, Extraction | None]:
    if isinstance(work, Failed) or not work.plan.needs_text:
        return work, None
    try:
        return work, texts.of(work.original.path)
    except UnreadableFile as error:
        return Failed(entry.code, work.entry.label, str(error)), None
