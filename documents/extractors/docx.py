"""DOCX to blocks, through mammoth and the HTML path."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import mammoth

from documents.extractors.base import ExtractionError, Why
from documents.extractors.docx_numbering import PreparedDocx, prepare
from documents.extractors.html import TITLE_CLASS, extract_html
from documents.rules.types import Extraction

_MAX_UNPACKED = 300_000_000
_MAX_PART = 100_000_000
_DOCTYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


class DocxExtractor:
    def extract(self, path: Path) -> Extraction:
        data = path.read_bytes()
        _check(data)
        try:
            prepared = prepare(data)
            html = _to_html(prepared)
        except (MemoryError, RecursionError, ExtractionError):
            raise
        except Exception as error:  # the libraries raise whatever a broken part makes them meet
            raise ExtractionError(Why.UNREADABLE) from error
        return extract_html(f"<body>{html}</body>", extractor="docx", title=prepared.title, trust_title=False)


def _check(data: bytes) -> None:
    """Refuse zip bombs by what the directory declares and by what a part really unpacks to, and any DTD."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if sum(part.file_size for part in parts) > _MAX_UNPACKED or len(parts) > 20_000:
                raise ExtractionError(Why.TOO_LARGE)
            for part in parts:
                if not part.filename.endswith((".xml", ".rels")):
                    continue
                if part.file_size > _MAX_PART:
                    raise ExtractionError(Why.TOO_LARGE)
                with archive.open(part) as stream:
                    if _DOCTYPE.search(stream.read(4096)):
                        raise ExtractionError(Why.UNREADABLE)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError) as error:
        raise ExtractionError(Why.UNREADABLE) from error
    except RuntimeError as error:  # zipfile says "password required" this way
        raise ExtractionError(Why.ENCRYPTED) from error


def _to_html(prepared: PreparedDocx) -> str:
    style_map = "\n".join(
        [
            f"p[style-name='Title'] => h1.{TITLE_CLASS}:fresh",
            "p[style-name^='toc '] => !",
            "p[style-name^='TOC '] => !",
            "p[style-name^='Sumário '] => !",
            "p[style-name^='index '] => !",
            "u => ",
            "strike => ",
            *(f"p[style-name='{name}'] => h{level}:fresh" for name, level in prepared.heading_styles),
        ]
    )
    result = mammoth.convert_to_html(
        io.BytesIO(prepared.data),
        style_map=style_map,
        convert_image=mammoth.images.img_element(lambda image: {}),
    )
    return str(result.value)
