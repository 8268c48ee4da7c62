"""Records as lines of a file: whole for who runs the portal, without words that a person may not read over HTTP."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from chat.auditing.disclosure import disclosed
from chat.models import EvidenceRecord
from chat.querysets import EvidenceQuerySet
from chat.rules import prov
from chat.rules.evidence import documents
from documents.rules.types import Reader
from governance.spreadsheet import inert

BLOCK = 200
"""Records that are read at a time."""
COLUMNS = (
    "sequence", "id", "recorded_at", "status", "on", "reader_key", "question", "documents", "missing", "claims",
    "refused", "candidates", "excluded", "prompt_tokens", "cached_tokens", "completion_tokens", "cost", "cached",
    "total_ms", "previous_hash", "hash",
)  # fmt: skip
Line = dict[str, Any]


def exported(record: EvidenceRecord) -> Line:
    """Everything that the hash covers, so that the chain can be checked from the export alone."""
    return {
        "sequence": record.sequence,
        "id": str(record.id),
        "recorded_at": record.recorded_at.isoformat(),
        "status": record.status,
        "on": record.on.isoformat(),
        "reader_key": str(record.reader_key),
        "body": record.body,
        "previous_hash": record.previous_hash,
        "hash": record.hash,
    }


def whole(records: EvidenceQuerySet, form: str) -> Iterator[str]:
    """The records as text, oldest first, a block at a time. `form` is a key of `FORMS`."""
    return _blocks(records, form, lambda block: map(exported, block))


def disclosed_to(reader: Reader, records: EvidenceQuerySet, form: str) -> Iterator[str]:
    """`whole` without the words of documents that this reader may not read.

    A line that is not whole names in `withheld` the sources whose words were left out: its hash can't be checked from
    the line then.
    """
    return _blocks(records, form, lambda block: _for(reader, block))


def _blocks(
    records: EvidenceQuerySet, form: str, lines: Callable[[Sequence[EvidenceRecord]], Iterable[Line]]
) -> Iterator[str]:
    if form == "csv":
        yield _row(COLUMNS)
    last = 0
    while block := list(records.order_by("sequence").filter(sequence__gt=last)[:BLOCK]):
        yield "".join(FORMS[form](line) for line in lines(block))
        last = block[-1].sequence


def _for(reader: Reader, records: Sequence[EvidenceRecord]) -> Iterator[Line]:
    disclosure = disclosed(reader, records)
    for record in records:
        left_out = disclosure.withheld(record)
        line = exported(record)
        yield {**line, "body": disclosure.body(record), "withheld": list(left_out)} if left_out else line


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _prov(line: Line) -> str:
    return _json(prov.document(line))


def _csv(line: Line) -> str:
    body = line["body"]
    reasons = [item["reason"] for item in body["candidates"] if item["reason"] != "eligible"]
    values = {
        **line,
        **body["usage"],
        "question": body["question"],
        "documents": " ".join(documents(body)),
        "missing": body["missing"] or "",
        "claims": len(body["claims"]),
        "refused": len(body["refused"]),
        "candidates": len(body["candidates"]),
        "excluded": " ".join(f"{reason}:{reasons.count(reason)}" for reason in sorted(set(reasons))),
        "cached": int(body["cached"]),
        "total_ms": body["timings_ms"].get("total", ""),
    }
    return _row([values[name] for name in COLUMNS])


def _row(values: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([cell(value) for value in values])
    return out.getvalue()


def cell(value: object) -> object:
    """A number stays one; a text that a spreadsheet would run as a formula is written as text."""
    return inert(value) if isinstance(value, str) else value


FORMS: Mapping[str, Callable[[Line], str]] = {"jsonl": _json, "csv": _csv, "prov": _prov}
MEDIA_TYPES = {
    "jsonl": "application/x-ndjson; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "prov": "application/x-ndjson; charset=utf-8",
}
