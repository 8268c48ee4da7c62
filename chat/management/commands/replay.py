from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser

from chat.models import EvidenceRecord
from chat.replay import replay
from documents.cli import REFUSED, PortalCommand


class Command(PortalCommand):
    help = "Asks a recorded question again: what was eligible then, what is now, whether the answer would differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("evidence", metavar="EVIDENCE_ID")

    def run(self, **options: Any) -> int:
        result = replay(_record(options["evidence"]))
        if options["json"]:
            self.print_json(asdict(result))
            return 0
        self.stdout.write(f"{result.question}")
        self.stdout.write(f"then ({result.on_then}): {result.status_then}, eligible: {', '.join(result.eligible_then)}")
        self.stdout.write(f"now  ({result.on_now}): {result.status_now}, eligible: {', '.join(result.eligible_now)}")
        self.stdout.write("the answer would differ" if result.differs else "the answer would be the same")
        for reason in result.reasons:
            self.stdout.write(f"  {reason}")
        return 0


def _record(text: str) -> EvidenceRecord:
    try:
        return EvidenceRecord.objects.get(id=UUID(text))
    except (ValueError, EvidenceRecord.DoesNotExist) as error:
        raise CommandError(f"there is no evidence record {text!r}", returncode=REFUSED) from error
