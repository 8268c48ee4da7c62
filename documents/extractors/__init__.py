"""Text out of files, safely: each is read in a process of its own with limits, and a bad one harms nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from documents.extractors.base import ExtractionError
from documents.extractors.reading import Reader
from documents.rules.types import Extraction

__all__ = ["ExtractionError", "extract", "extract_many"]

AHEAD, AHEAD_BYTES = 200, 20_000_000
"""How many files are read before they are asked for, and of what size together: their texts wait in memory."""


def extract(path: Path, *, timeout: float = 120, memory_mb: int = 1024) -> Extraction:
    """Sections and text of a PDF, DOCX, HTML, Markdown or text file. Raises ExtractionError, and nothing else.

    `timeout` is wall-clock seconds (processor time has the same limit), `memory_mb` the address space of the reader.
    """
    with Reader() as reader:
        return reader.read(Path(path), timeout=timeout, memory_mb=memory_mb)


def extract_many(
    paths: Iterable[Path], *, workers: int = 2, timeout: float = 120, memory_mb: int = 1024
) -> Iterator[tuple[Path, Extraction | ExtractionError]]:
    """Each path with its extraction or its error, in the order given; at most `workers` files are read at once."""
    readers = [Reader() for _ in range(workers)]
    free: SimpleQueue[Reader] = SimpleQueue()
    for reader in readers:
        free.put(reader)

    def one(path: Path) -> Extraction | ExtractionError:
        reader = free.get()
        try:
            return reader.read(path, timeout=timeout, memory_mb=memory_mb)
        except ExtractionError as error:
            return error
        finally:
            free.put(reader)

    pending: deque[tuple[Path, int, Future[Extraction | ExtractionError]]] = deque()
    waiting = 0
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            for path in paths:
                size = _size(path)
                pending.append((path, size, pool.submit(one, path)))
                waiting += size
                while len(pending) > 2 * workers and (len(pending) > AHEAD or waiting > AHEAD_BYTES):
                    done, size, future = pending.popleft()
                    waiting -= size
                    yield done, future.result()
            while pending:
                done, _, future = pending.popleft()
                yield done, future.result()
        finally:
            for _, _, future in pending:
                future.cancel()
            pool.shutdown()
            for reader in readers:
                reader.close()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
