"""Text out of files, safely: each file is read in a subprocess with limits, and a bad one harms nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from documents.extractors.base import ExtractionError
from documents.extractors.codec import load
from documents.rules.types import Extraction

__all__ = ["ExtractionError", "extract", "extract_many"]

_ROOT = Path(__file__).resolve().parents[2]


def extract(path: Path, *, timeout: float = 120, memory_mb: int = 1024) -> Extraction:
    """Sections and text of a PDF, DOCX, HTML, Markdown or text file. Raises ExtractionError, and nothing else.

    `timeout` is wall-clock seconds (processor time has the same limit), `memory_mb` the address space of the reader.
    """
    command = [sys.executable, "-P", "-m", "documents.extractors.worker"]
    command += [str(Path(path).resolve()), str(memory_mb), str(max(1, round(timeout)))]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=_ROOT,
            env=_environment(),
            start_new_session=True,
        )
        try:
            out, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise ExtractionError("timeout") from None
        finally:
            _end(process)
        if process.returncode != 0:
            errors.seek(max(0, errors.tell() - 4000))
            raise _failure(process.returncode, errors.read().decode("utf-8", "replace"))
    try:
        return load(out)
    except (ValueError, KeyError, TypeError) as error:
        raise ExtractionError("unreadable") from error


def extract_many(
    paths: Iterable[Path], *, workers: int = 2, timeout: float = 120, memory_mb: int = 1024
) -> Iterator[tuple[Path, Extraction | ExtractionError]]:
    """Each path with its extraction or its error, in the order given; at most `workers` files are read at once."""

    def one(path: Path) -> Extraction | ExtractionError:
        try:
            return extract(path, timeout=timeout, memory_mb=memory_mb)
        except ExtractionError as error:
            return error

    pending: deque[tuple[Path, Future[Extraction | ExtractionError]]] = deque()
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            for path in paths:
                pending.append((path, pool.submit(one, path)))
                if len(pending) > 2 * workers:
                    done, future = pending.popleft()
                    yield done, future.result()
            while pending:
                done, future = pending.popleft()
                yield done, future.result()
        finally:
            for _, future in pending:
                future.cancel()


def _environment() -> dict[str, str]:
    """Nothing of ours goes along: a document that took the reader over would find no key and no database address."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(_ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "2",
        "RAYON_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def _end(process: subprocess.Popen[bytes]) -> None:
    """Leave no reader behind, nor anything it may have started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _failure(code: int, errors: str) -> ExtractionError:
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return ExtractionError("timeout")
    if "memory allocation" in errors or "MemoryError" in errors or "bad_alloc" in errors or "Cannot allocate" in errors:
        return ExtractionError("memory")
    return ExtractionError("unreadable")
