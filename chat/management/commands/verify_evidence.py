from __future__ import annotations

from dataclasses import asdict
from typing import Any

from chat import recorder
from chat.models import EvidenceRecord
from documents.cli import NOT_HELD, PortalCommand


class Command(PortalCommand):
    help = "Walks the hash chain of the evidence; exit status 1 where it breaks."

    def run(self, **options: Any) -> int:
        breaks = list(recorder.verify())
        count = EvidenceRecord.objects.count()
        if options["json"]:
            self.print_json({"ok": not breaks, "records": count, "breaks": [asdict(item) for item in breaks]})
        else:
            for item in breaks:
                self.stdout.write(f"{item.sequence} {item.record}: {item.problem}")
            self.stdout.write(f"{count} records, {'the chain holds' if not breaks else f'{len(breaks)} breaks'}")
        return NOT_HELD if breaks else 0
