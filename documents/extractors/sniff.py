"""Which format a file really has: by content first, by suffix where the content doesn't tell."""

from __future__ import annotations

import re
import zipfile
from enum import StrEnum
from pathlib import Path

from documents.extractors.base import MAX_FILE_BYTES, ExtractionError, Why


class Format(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"


_SUFFIXES = {
    ".pdf": Format.PDF,
    ".docx": Format.DOCX,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".txt": Format.TEXT,
}
_HTML = re.compile(
    rb"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def format_named(path: Path) -> Format | None:
    """The format that the end of the file's name stands for; the file is not looked at."""
    return _SUFFIXES.get(path.suffix.lower())


def sniff(path: Path) -> Format:
    """The format of `path`; ExtractionError `unsupported`, `too_large` or `unreadable` (empty or missing file)."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            head = stream.read(8192)
    except OSError as error:
        raise ExtractionError(Why.MISSING) from error
    if size == 0:
        raise ExtractionError(Why.EMPTY)
    if size > MAX_FILE_BYTES:
        raise ExtractionError(Why.TOO_LARGE)
    suffix = format_named(path)
    if b"%PDF-" in head[:1024]:
        return Format.PDF
    if head.startswith(b"PK\x03\x04"):
        return _zip(path)
    if head.startswith(_OLD_OFFICE):
        raise ExtractionError(Why.OLD_OFFICE)
    if suffix in (Format.PDF, Format.DOCX):
        raise ExtractionError(Why.UNREADABLE)
    if _HTML.match(head) and suffix is not Format.MARKDOWN:
        return Format.HTML
    if suffix is None:
        raise ExtractionError(Why.UNSUPPORTED)
    if b"\x00" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ExtractionError(Why.UNSUPPORTED)
    return suffix


def _zip(path: Path) -> Format:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ExtractionError(Why.UNREADABLE) from error
    if "word/document.xml" in names:
        return Format.DOCX
    raise ExtractionError(Why.UNREADABLE if path.suffix.lower() == ".docx" else Why.UNSUPPORTED)
