"""What an extractor is, and how it says that a file cannot be read."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Protocol

from documents.rules.types import Extraction

# Stable code -> what the owner of the file should do, in Portuguese: shown by the import report and the admin.
MESSAGES = {
    "encrypted": "O arquivo está protegido por senha: remova a senha e envie de novo.",
    "scanned": "O arquivo só tem imagens (digitalização, sem texto): passe-o por OCR ou envie o original editável.",
    "unreadable": "O arquivo está corrompido ou não tem texto legível: abra-o, salve de novo e envie outra vez.",
    "too_large": "O arquivo é grande demais: divida-o em partes ou remova as imagens.",
    "timeout": "A leitura do arquivo passou do tempo limite: divida-o em partes ou exporte-o de novo.",
    "memory": "A leitura do arquivo passou da memória permitida: divida-o em partes ou exporte-o de novo.",
    "unsupported": "O formato do arquivo não é aceito: envie PDF, DOCX, HTML, Markdown ou texto.",
}

MEDIA_TYPES = {
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "text/html",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
}

# More text than this from one file is not a policy but an accident (or an attack).
MAX_TEXT_CHARS = 20_000_000
MAX_FILE_BYTES = 200_000_000


def media_type_of(name: str) -> str:
    """By the end of the file's name, and by our own table: that of the system differs from one machine to the next."""
    return MEDIA_TYPES.get(PurePath(name).suffix.lower(), "application/octet-stream")


class ExtractionError(Exception):
    """A file that gives no text. `code` is a key of MESSAGES, `message` a Portuguese sentence that says what to do."""

    def __init__(self, code: str, message: str = "") -> None:
        self.code = code
        self.message = message or MESSAGES[code]
        super().__init__(f"{code}: {self.message}")


class Extractor(Protocol):
    """Reads one format. Runs inside the limited subprocess: it may be slow or crash, it must not write anything."""

    def extract(self, path: Path) -> Extraction:
        """Return the readable text of `path`; raise ExtractionError where there is none."""
        ...
