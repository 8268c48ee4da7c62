"""The process that reads files: `python -m documents.extractors.worker SOCKET`, started once for many of them.

It loads what a format needs and never opens a file itself. Each one is read in a child of its own, which limits itself
before it touches the file and writes one JSON value to the pipe that came with the request. So start-up is paid once,
and a file that takes its reader over meets neither another file nor its text.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import NoReturn

from documents.extractors.base import ExtractionError, Extractor, Why
from documents.extractors.codec import dump, dump_error
from documents.extractors.sniff import Format, format_named, sniff

LONGEST_REQUEST = 65_536


def extractor_for(kind: Format) -> Extractor:
    """Import only what the format needs."""
    if kind is Format.PDF:
        from documents.extractors.pdf import PdfExtractor

        return PdfExtractor()
    if kind is Format.DOCX:
        from documents.extractors.docx import DocxExtractor

        return DocxExtractor()
    if kind is Format.HTML:
        from documents.extractors.html import HtmlExtractor

        return HtmlExtractor()
    if kind is Format.MARKDOWN:
        from documents.extractors.markdown import MarkdownExtractor

        return MarkdownExtractor()
    from documents.extractors.plain import PlainExtractor

    return PlainExtractor()


def limit(memory_mb: int, seconds: int) -> None:
    """Bound memory, processor time, files and core dumps of this very process."""
    size = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def main(arguments: list[str]) -> int:
    """Serve requests, one after the other, until the portal closes its end or is gone."""
    control = socket.socket(fileno=int(arguments[0]))
    loaded: set[Format | None] = set()
    while True:
        request, descriptors, _flags, _address = socket.recv_fds(control, LONGEST_REQUEST, 2)
        if not request:
            return 0
        path, memory_mb, seconds = json.loads(request)
        kind = format_named(Path(path))  # by its name alone: what is in the file is for the child to look at
        if kind is not None and kind not in loaded:
            loaded.add(kind)
            extractor_for(kind)
            gc.collect()
            gc.freeze()  # so that children share these pages instead of copying them
        child = os.fork()
        if child == 0:
            control.close()
            _read(Path(path), memory_mb, seconds, *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        waited_for = control.recv(1)  # the portal has its answer, or has waited long enough
        status = _end(child)
        if not waited_for:
            return 0
        control.sendall(status.to_bytes(4, "big", signed=True))


def _read(path: Path, memory_mb: int, seconds: int, answer: int, errors: int) -> NoReturn:
    """In the child: the answer of one file, then the end of the process, whatever happens."""
    code = 1
    try:
        os.setsid()
        os.dup2(errors, 2)
        os.dup2(2, 1)  # native libraries print on standard output
        limit(memory_mb, seconds)
        try:
            data = dump(extractor_for(sniff(path)).extract(path))
        except ExtractionError as error:
            data = dump_error(error)
        except MemoryError:
            data = dump_error(ExtractionError(Why.MEMORY))
        except RecursionError:
            data = dump_error(ExtractionError(Why.UNREADABLE))
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(answer, rest) :]
        code = 0
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:4000])
    finally:
        os._exit(code)  # nothing of the parent's is flushed or cleaned up twice


def _end(child: int) -> int:
    """Leave no reader behind, nor anything it may have started. Its exit code, negative for a signal.

    One that has ended already, which is what closed its pipe, keeps the code that it ended with.
    """
    try:
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # it had no time yet for a session of its own
        os.kill(child, signal.SIGKILL)
    _pid, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
