"""An Extraction as JSON: what passes from the limited subprocess to the portal."""

from __future__ import annotations

import json

from documents.extractors.base import MESSAGES, ExtractionError
from documents.rules.types import Extraction, PageSpan, SectionSpan


def dump(extraction: Extraction) -> bytes:
    return json.dumps(
        {
            "text": extraction.text,
            "sections": [
                [s.heading, s.level, list(s.path), s.anchor, s.start, s.body_start, s.end] for s in extraction.sections
            ],
            "pages": [[p.number, p.start, p.end] for p in extraction.pages],
            "warnings": list(extraction.warnings),
            "extractor": extraction.extractor,
        },
        ensure_ascii=False,
    ).encode("utf-8", "replace")


def dump_error(error: ExtractionError) -> bytes:
    return json.dumps({"error": error.code, "message": error.message}, ensure_ascii=False).encode()


def load(data: bytes) -> Extraction:
    """The extraction, or raise the ExtractionError that the subprocess met. ValueError for anything else."""
    value = json.loads(data)
    if "error" in value:
        code = value["error"] if value["error"] in MESSAGES else "unreadable"
        raise ExtractionError(code, value.get("message", ""))
    return Extraction(
        text=value["text"],
        sections=tuple(SectionSpan(h, lv, tuple(p), a, s, b, e) for h, lv, p, a, s, b, e in value["sections"]),
        pages=tuple(PageSpan(*page) for page in value["pages"]),
        warnings=tuple(value["warnings"]),
        extractor=value["extractor"],
    )
