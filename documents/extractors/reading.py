"""The portal's end of a reading process: a file goes to it by name, its text comes back or the reason why not."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO

from documents.extractors.base import ExtractionError, Why
from documents.extractors.codec import load
from documents.rules.types import Extraction

ROOT = Path(__file__).resolve().parents[2]
PIECE = 1 << 20


class Reader:
    """A process that reads files one at a time, each in a child of its own with its own limits.

    It starts with the first file, and again with the next one should it have died. For one thread at a time, but for
    `close`.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def read(self, path: Path, *, timeout: float, memory_mb: int) -> Extraction:
        """Raises `ExtractionError` and nothing else. `timeout` in seconds of the clock, and as many of processor time;
        `memory_mb` is the address space of the child.
        """
        request = json.dumps([str(path.resolve()), memory_mb, max(1, round(timeout))]).encode("utf-8", "surrogatepass")
        most = memory_mb << 20
        with tempfile.TemporaryFile() as errors:
            try:
                answer, code = self._ask(request, errors, timeout, most)
            except (OSError, EOFError) as error:  # the process itself is gone: the next file starts another
                self.close()
                raise ExtractionError(Why.UNREADABLE) from error
            if answer is None:
                raise ExtractionError(Why.TIMEOUT)
            if len(answer) > most:
                raise ExtractionError(Why.MEMORY)
            if code != 0:
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - 4000))
                raise _failure(code, errors.read().decode("utf-8", "replace"))
        try:
            return load(answer)
        except ValueError as error:
            raise ExtractionError(Why.UNREADABLE) from error

    def close(self) -> None:
        """End the process, and with it whatever it is reading. Safe to repeat."""
        control, self._control = self._control, None
        if control is not None:
            with suppress(OSError):
                control.shutdown(socket.SHUT_RDWR)
            control.close()
        process, self._process = self._process, None
        if process is not None:
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _ask(self, request: bytes, errors: IO[bytes], timeout: float, most: int) -> tuple[bytes | None, int]:
        """The child's answer as `_all_of` gives it, None where it took too long, and its exit code."""
        control = self._started()
        deadline = monotonic() + timeout
        answer, written = os.pipe()
        try:
            try:
                socket.send_fds(control, [request], [written, errors.fileno()])
            finally:
                os.close(written)
            data = _all_of(answer, deadline, most)
        finally:
            os.close(answer)
        control.sendall(b".")
        status = b""
        while len(status) < 4:
            more = control.recv(4 - len(status))
            if not more:
                raise EOFError("the reading process ended")
            status += more
        return data, int.from_bytes(status, "big", signed=True)

    def _started(self) -> socket.socket:
        if self._control is not None:
            return self._control
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "documents.extractors.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env=environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self._control = ours
        return ours


def environment() -> dict[str, str]:
    """Nothing of ours goes along: a document that took the reader over would find no key and no database address."""
    return {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "MALLOC_ARENA_MAX": "2",
        "RAYON_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def _all_of(pipe: int, deadline: float, most: int) -> bytes | None:
    """Everything until the other end is closed; None where that is not so by the deadline.

    Of more than `most` bytes only the beginning, longer than that: a child that was taken over may never stop writing.
    """
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    pieces: list[bytes] = []
    size = 0
    while size <= most:
        left = deadline - monotonic()
        if left <= 0 or not waiting.poll(left * 1000):
            return None
        piece = os.read(pipe, PIECE)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _failure(code: int, errors: str) -> ExtractionError:
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return ExtractionError(Why.TIMEOUT)
    if "memory allocation" in errors or "MemoryError" in errors or "bad_alloc" in errors or "Cannot allocate" in errors:
        return ExtractionError(Why.MEMORY)
    return ExtractionError(Why.UNREADABLE)
