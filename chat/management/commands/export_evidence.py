from __future__ import annotations

import json
from datetime import date, datetime, time
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from chat.models import EvidenceRecord
from chat.rules import prov
from documents.cli import PortalCommand, day


class Command(PortalCommand):
    help = "Writes evidence records to standard output, one JSON value a line."
    has_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", required=True, metavar="DATE")
        parser.add_argument("--format", choices=("jsonl", "prov"), default="jsonl")

    def run(self, **options: Any) -> int:
        since = _start(day(options["since"]))
        for record in EvidenceRecord.objects.filter(recorded_at__gte=since).order_by("sequence").iterator(500):
            line = exported(record)
            value = prov.document(line) if options["format"] == "prov" else line
            self.stdout.write(json.dumps(value, ensure_ascii=False))
        return 0


def exported(record: EvidenceRecord) -> dict[str, Any]:
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


def _start(since: date) -> datetime:
    return timezone.make_aware(datetime.combine(since, time.min))
