"""What an extractor is, and how it says that a file cannot be read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path, PurePath
from typing import Protocol

from documents.rules.types import Extraction


class Why(StrEnum):
    """Why a file gives no text; `documents.extractors.words` says each in a sentence, with what to do."""

    ENCRYPTED = "encrypted"
    SCANNED = "scanned"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    UNSUPPORTED = "unsupported"
    MISSING = "missing"
    EMPTY = "empty"
    TOO_DEEP = "too_deep"
    OLD_OFFICE = "old_office"


CODES = {
    Why.MISSING: Why.UNREADABLE,
    Why.EMPTY: Why.UNREADABLE,
    Why.TOO_DEEP: Why.UNREADABLE,
    Why.OLD_OFFICE: Why.UNSUPPORTED,
}
"""The stable code of those that only say more exactly what is the matter; of the others it is their own."""

MEDIA_TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
}

# More text than this from one file is not a policy but an accident (or an attack).
MAX_TEXT_CHARS = 20_000_000
MAX_FILE_BYTES = 200_000_000


def media_type_of(name: str) -> str:
    """By the end of the file's name, and by our own table: that of the system differs from one machine to the next."""
    return MEDIA_TYPES.get(PurePath(name).suffix.lower(), "application/octet-stream")


class ExtractionError(Exception):
    """A file that gives no text. `why` is exact, `code` stable."""

    def __init__(self, why: Why) -> None:
        self.why = why
        super().__init__(self.code)

    @property
    def code(self) -> str:
        return str(CODES.get(self.why, self.why))


class Extractor(Protocol):
    """Reads one format. Runs inside the limited subprocess: it may be slow or crash, it must not write anything."""

    def extract(self, path: Path) -> Extraction:
        """Return the readable text of `path`; raise ExtractionError where there is none."""
        ...
