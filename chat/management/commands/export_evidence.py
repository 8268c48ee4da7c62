from __future__ import annotations

import json
from datetime import date, datetime, time
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.auditing import certificates, exports
from chat.management.commands.replay import record
from chat.models import EvidenceRecord
from documents.cli import REFUSED, PortalCommand, day


class Command(PortalCommand):
    help = "Writes evidence records, whole, to standard output: one JSON value a line, or one certificate."
    has_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--since", metavar="DATE", help="records from this day on")
        parser.add_argument("--format", choices=("jsonl", "prov", "csv"), default="jsonl")
        parser.add_argument("--certificate", metavar="EVIDENCE_ID", help="the certificate of one answer instead")

    def run(self, **options: Any) -> int:
        if options["certificate"]:
            issued = certificates.issue_whole(record(options["certificate"]))
            self.stdout.write(json.dumps(issued, ensure_ascii=False, indent=1))
            return 0
        if not options["since"]:
            raise CommandError(_("Say from which day on: --since 2026-03-01."), returncode=REFUSED)
        found = EvidenceRecord.objects.filter(recorded_at__gte=_start(day(options["since"])))
        for text in exports.whole(found, options["format"]):
            self.stdout.write(text, ending="")
        return 0


def _start(since: date) -> datetime:
    return timezone.make_aware(datetime.combine(since, time.min))
