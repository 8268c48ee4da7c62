"""The files of a corpus folder: found, hashed once, and read ahead in the order in which their texts are needed."""

from __future__ import annotations

import hashlib
import stat
import unicodedata
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TypeVar, cast

from django.utils.translation import gettext as _

from documents.extractors import ExtractionError, extract, extract_many
from documents.extractors.base import MAX_FILE_BYTES, Why, media_type_of
from documents.extractors.words import refusal
from documents.rules.types import Extraction

Result = TypeVar("Result")


class UnreadableFile(Exception):
    """The file gives no text; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it stood when it was hashed; `seen` is when it was last written, `size` in bytes."""

    path: Path
    content_hash: str
    seen: datetime
    size: int

    @property
    def media_type(self) -> str:
        return media_type_of(self.path.name)

    def data(self) -> bytes:
        """Its bytes. Raises `UnreadableFile` when they are no longer those that were hashed."""
        data = _reading(self.path, self.path.read_bytes)
        if hashlib.sha256(data).hexdigest() != self.content_hash:
            raise UnreadableFile(_("%(name)s changed while it was being imported.") % {"name": self.path.name})
        return data


def leaves(folder: Path, name: str) -> bool:
    """Whether the name leads out of the folder: absolute, by `..` or by a symbolic link."""
    try:
        return PurePosixPath(name).is_absolute() or not (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return True


@dataclass(slots=True)
class Originals:
    """Files by the name that the manifest gives them; each is hashed once."""

    folder: Path
    _found: dict[str, Original | str] = field(default_factory=dict)  # or why it can't be read

    def get(self, name: str) -> Original:
        """Raises `UnreadableFile`."""
        if name not in self._found:
            try:
                self._found[name] = self._read(name)
            except UnreadableFile as error:
                self._found[name] = str(error)
        found = self._found[name]
        if isinstance(found, str):
            raise UnreadableFile(found)
        return found

    def _read(self, name: str) -> Original:
        path = self._path(name)
        status = _reading(path, path.stat)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFile(_("%(name)s is not a file.") % {"name": name})
        if status.st_size > MAX_FILE_BYTES:
            raise _unreadable(path, ExtractionError(Why.TOO_LARGE))
        with _reading(path, lambda: path.open("rb")) as file:
            digest = _reading(path, lambda: hashlib.file_digest(file, "sha256"))
        return Original(path, digest.hexdigest(), datetime.fromtimestamp(status.st_mtime, UTC), status.st_size)

    def _path(self, name: str) -> Path:
        """An accent may be written as one character or as two: some systems change one into the other."""
        spellings = (name, *(unicodedata.normalize(form, name) for form in ("NFC", "NFD")))
        paths = [self.folder / spelling for spelling in spellings if not leaves(self.folder, spelling)]
        if not paths:
            raise UnreadableFile(_("%(name)s is outside of the corpus folder.") % {"name": name})
        return next((path for path in paths if path.exists()), paths[0]).resolve()


class Texts:
    """Texts of files, read ahead in subprocesses in the order of `paths`, in which they should be asked for."""

    def __init__(self, paths: Sequence[Path], progress: Callable[[str], None]) -> None:
        self._stream = cast("Generator[tuple[Path, Extraction | ExtractionError]]", extract_many(paths))
        self._total = len(paths)
        self._read = 0
        self._ready: dict[Path, Extraction | ExtractionError] = {}
        self._progress = progress

    def of(self, path: Path) -> Extraction:
        """Raises `UnreadableFile`."""
        while path not in self._ready:
            read = next(self._stream, None)
            if read is None:
                return self._alone(path)
            self._ready[read[0]] = read[1]
            self._read += 1
            if self._read % 10 == 0 or self._read == self._total:
                self._progress(_("reading files %(n)d/%(total)d") % {"n": self._read, "total": self._total})
        text = self._ready.pop(path)
        if isinstance(text, ExtractionError):
            raise _unreadable(path, text) from text
        return text

    def close(self) -> None:
        """Stop reading ahead."""
        self._stream.close()

    def _alone(self, path: Path) -> Extraction:
        try:
            return extract(path)
        except ExtractionError as error:
            raise _unreadable(path, error) from error


def _unreadable(path: Path, error: ExtractionError) -> UnreadableFile:
    return UnreadableFile(f"{path.name}: {error.code}: {refusal(error)}")


def _reading(path: Path, read: Callable[[], Result]) -> Result:
    try:
        return read()
    except FileNotFoundError as error:
        raise UnreadableFile(_("%(name)s is not in the folder.") % {"name": path.name}) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise UnreadableFile(_("%(name)s can't be read: %(why)s") % {"name": path.name, "why": why}) from error
