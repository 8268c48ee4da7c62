"""A corpus folder out of a ZIP file, within limits, and never outside of the folder that it is given."""

from __future__ import annotations

import lzma
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from django.utils.translation import gettext as _

from documents.errors import DomainError
from documents.extractors.base import MAX_FILE_BYTES
from governance.importing.manifest import FILE

MOST_ARCHIVE_BYTES = 300_000_000
MOST_FILES = 5_000
MOST_BYTES = 2_000_000_000
MOST_RATIO = 200
"""How much larger a file may get: a table of text shrinks to a fiftieth, a bomb to a thousandth."""
SMALL = 1_000_000
LONGEST_NAME = 400
_BLOCK = 1 << 20
IGNORED = ("__MACOSX/", ".DS_Store", "Thumbs.db")
DAMAGED = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, NotImplementedError, EOFError, OSError,
    RuntimeError, ValueError,
)  # fmt: skip
"""What `zipfile` and its decompressors raise over what is damaged, cut off, or named by no text."""


class BadArchive(DomainError):
    """What arrived is no folder that can be imported; the message says why."""

    code = "bad_archive"
    status = 422


def unpack(source: IO[bytes], folder: Path) -> Path:
    """Write the files of the archive into `folder`; the path in it that holds the manifest. Raises `BadArchive`."""
    try:
        with zipfile.ZipFile(source) as archive:
            members = _members(archive)
            left = MOST_BYTES
            for member in members:
                left = _write(archive, member, folder, left)
    except DAMAGED as error:
        raise BadArchive(_("The file is not a ZIP archive that can be read: make it again.")) from error
    return _root(folder)


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    members = [one for one in archive.infolist() if not one.is_dir() and not _ignored(one.filename)]
    if len(members) > MOST_FILES:
        raise BadArchive(
            _("The archive has %(n)d files, at most %(most)d fit.") % {"n": len(members), "most": MOST_FILES}
        )
    names: set[str] = set()
    for one in members:
        name = one.filename
        mode = one.external_attr >> 16
        parts = PurePosixPath(name).parts
        if (
            name.startswith("/")
            or "\\" in name
            or ":" in name
            or "\0" in name
            or ".." in parts
            or len(name) > LONGEST_NAME
            or (mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode))
        ):
            raise BadArchive(_("The archive holds a name that leads out of it: %(name)s") % {"name": name[:100]})
        if one.flag_bits & 0x1:
            raise BadArchive(_("The archive is protected by a password: make it without one."))
        if name.casefold() in names:
            raise BadArchive(_("The archive holds %(name)s twice.") % {"name": name[:100]})
        names.add(name.casefold())
    return members


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int) -> int:
    """The bytes that may still be written. What is counted is what comes out, whatever the archive says of itself."""
    path = folder / member.filename
    path.parent.mkdir(parents=True, exist_ok=True)
    most = min(left, MAX_FILE_BYTES)
    if member.file_size > SMALL:
        most = min(most, max(1, member.compress_size) * MOST_RATIO)
    written = 0
    with archive.open(member) as source, path.open("xb") as target:
        while block := source.read(_BLOCK):
            written += len(block)
            if written > most:
                raise BadArchive(_("%(name)s is too large once unpacked.") % {"name": member.filename[:100]})
            target.write(block)
    return left - written


def _root(folder: Path) -> Path:
    """Where the manifest is: at the top, or in the one folder that was packed."""
    if (folder / FILE).is_file():
        return folder
    inside = [path for path in folder.iterdir() if path.is_dir() and (path / FILE).is_file()]
    if len(inside) == 1:
        return inside[0]
    raise BadArchive(_("There is no %(file)s at the top of the archive.") % {"file": FILE})


def _ignored(name: str) -> bool:
    return name.startswith(IGNORED) or PurePosixPath(name).name in IGNORED
