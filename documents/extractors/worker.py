"""The subprocess that reads one file: `python -m documents.extractors.worker PATH MEMORY_MB SECONDS`.

It limits itself before it touches the file, writes one JSON value on standard output and nothing else there.
"""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from documents.extractors.base import ExtractionError, Extractor
from documents.extractors.codec import dump, dump_error
from documents.extractors.sniff import Format, sniff


def extractor_for(kind: Format) -> Extractor:
    """Import only what the format needs: start-up time counts once for each file."""
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
    path, memory_mb, seconds = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    # Native libraries print on standard output: keep the real one for the answer alone.
    answer = os.dup(1)
    os.dup2(2, 1)
    limit(memory_mb, seconds)
    try:
        data = dump(extractor_for(sniff(path)).extract(path))
    except ExtractionError as error:
        data = dump_error(error)
    except MemoryError:
        data = dump_error(ExtractionError("memory"))
    except RecursionError:
        data = dump_error(ExtractionError("unreadable"))
    with os.fdopen(answer, "wb") as stream:
        stream.write(data)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
