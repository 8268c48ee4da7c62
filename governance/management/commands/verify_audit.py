"""`verify_audit [--json]`: walk the chain of the audit trail; exit 1 where it breaks."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from documents.cli import NOT_HELD, PortalCommand
from governance import audit


class Command(PortalCommand):
    help = "Check the hash chain of the audit trail."

    def run(self, **options: Any) -> int:
        report = audit.verify()
        if options["json"]:
            self.print_json(asdict(report) | {"holds": report.holds})
        elif report.holds:
            self.stdout.write(_("%(events)s events, the chain holds.") % {"events": report.events})
        else:
            message = _("The chain breaks at event %(position)s: %(why)s.")
            self.stderr.write(message % {"position": report.broken_at, "why": report.why})
        return 0 if report.holds else NOT_HELD
