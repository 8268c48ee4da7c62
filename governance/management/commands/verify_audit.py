"""`verify_audit [--noted N:HASH] [--json]`: walk the chain of the audit trail; exit 1 where it breaks."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from documents.cli import NOT_HELD, REFUSED, PortalCommand
from governance import audit


class Command(PortalCommand):
    help = "Check the hash chain of the audit trail."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--noted", metavar="N:HASH", help="the end of the chain that was printed at some time")

    def run(self, **options: Any) -> int:
        noted = re.fullmatch(r"([1-9]\d{0,17}):([0-9a-f]{64})", options["noted"]) if options["noted"] else None
        if options["noted"] and noted is None:
            raise CommandError("--noted takes N:HASH, as this command prints it", returncode=REFUSED)
        report = audit.verify((int(noted[1]), noted[2]) if noted else None)
        if options["json"]:
            self.print_json(asdict(report) | {"holds": report.holds})
        elif report.holds:
            self.stdout.write(_("%(events)s events, the chain holds.") % {"events": report.events})
            if report.end:
                told = _("end %(end)s (note it elsewhere: it shows later that nothing was cut off or rewritten)")
                self.stdout.write(told % {"end": report.end})
        else:
            message = _("The chain breaks at event %(position)s: %(why)s.")
            self.stderr.write(message % {"position": report.broken_at, "why": report.why})
        return 0 if report.holds else NOT_HELD
