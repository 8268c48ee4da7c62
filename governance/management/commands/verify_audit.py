"""`verify_audit [--json]`: walk the chain of the audit trail; exit 1 where it breaks."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from governance import audit

BROKEN = 1


class Command(BaseCommand):
    help = "Check the hash chain of the audit trail."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: object, **options: object) -> None:
        report = audit.verify()
        if options["json"]:
            told = {"events": report.events, "holds": report.holds, "broken_at": report.broken_at, "why": report.why}
            self.stdout.write(json.dumps(told))
        if not report.holds:
            message = _("The chain breaks at event %(position)s: %(why)s.")
            raise CommandError(message % {"position": report.broken_at, "why": report.why}, returncode=BROKEN)
        if not options["json"]:
            self.stdout.write(_("%(events)s events, the chain holds.") % {"events": report.events})
