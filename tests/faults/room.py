"""A small disk of its own, which a test can fill and empty: a file system in memory, mounted where that is allowed."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PIECES = (1 << 24, 1 << 20, 1 << 16, 1 << 12)


@dataclass(frozen=True)
class Room:
    folder: Path

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"

    def fill(self) -> None:
        """Take the last page that is free."""
        with self._filler.open("ab") as file:
            for size in PIECES:
                try:
                    while True:
                        os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, size)
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise

    def empty(self) -> None:
        self._filler.unlink(missing_ok=True)

    def full(self) -> bool:
        return os.statvfs(self.folder).f_bavail == 0


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Room | None]:
    """A disk of this size at `folder`, which is made; without the right to mount, the folder alone and no `Room`."""
    folder.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "kbportal-faults", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        done = False
    try:
        yield Room(folder) if done else None
    finally:
        if done:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
