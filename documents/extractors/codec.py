"""An Extraction as JSON: what passes from the limited subprocess to the portal."""

from __future__ import annotations

import json
from typing import Any

from documents.extractors.base import ExtractionError, Why
from documents.rules.notices import notice_of
from documents.rules.types import Extraction, PageSpan, SectionSpan


def dump(extraction: Extraction) -> bytes:
    return json.dumps(
        {
            "text": extraction.text,
            "sections": [
                [s.heading, s.level, list(s.path), s.anchor, s.start, s.body_start, s.end] for s in extraction.sections
            ],
            "pages": [[p.number, p.start, p.end] for p in extraction.pages],
            "warnings": [notice.kept() for notice in extraction.warnings],
            "extractor": extraction.extractor,
        },
        ensure_ascii=False,
    ).encode("utf-8", "replace")


def dump_error(error: ExtractionError) -> bytes:
    return json.dumps({"error": error.why}).encode()


def load(data: bytes) -> Extraction:
    """The extraction, or raise the ExtractionError that the subprocess met. ValueError for anything else."""
    try:
        value = json.loads(data)
        if "error" in value:
            raise ExtractionError(Why(value["error"]) if value["error"] in tuple(Why) else Why.UNREADABLE)
        return _extraction(value)
    except (LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("this is no extraction") from error


def _extraction(value: Any) -> Extraction:
    return Extraction(
        text=value["text"],
        sections=tuple(SectionSpan(h, lv, tuple(p), a, s, b, e) for h, lv, p, a, s, b, e in value["sections"]),
        pages=tuple(PageSpan(*page) for page in value["pages"]),
        warnings=tuple(notice_of(kept) for kept in value["warnings"]),
        extractor=value["extractor"],
    )
