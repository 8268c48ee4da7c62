from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandParser

from documents.cli import PortalCommand, day
from evaluation.candidates import objections
from evaluation.rules.candidates import cases, incomplete


class Command(PortalCommand):
    help = "Writes what readers objected to as cases for `evaluate`, one JSON value a line, without personal data."
    has_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as", required=True, metavar="USER", dest="person", help="in whose name they are asked")
        parser.add_argument("--since", metavar="DATE")

    def run(self, **options: Any) -> int:
        since = day(options["since"]) if options["since"] else None
        found = cases(objections(since), options["person"])
        for case in found:
            self.stdout.write(json.dumps(case, ensure_ascii=False))
        waiting = sum(incomplete(case) for case in found)
        self.progress(f"{len(found)} cases; {waiting} need their `sources` filled in before `evaluate` takes them")
        return 0
