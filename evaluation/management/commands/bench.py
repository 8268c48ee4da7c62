from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from documents.cli import REFUSED, PortalCommand
from evaluation.bench.database import own_database
from evaluation.bench.report import lines
from evaluation.bench.run import Given, Size, run
from evaluation.loading import load

HERE = Path(__file__).resolve().parents[2]
CHUNKS = 30_000


class Command(PortalCommand):
    help = "Measures search, answers, import and memory on a made-up company in a database of its own."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--chunks", type=int, metavar="N", default=CHUNKS, help=f"passages (default {CHUNKS})")
        parser.add_argument("--engine", metavar="E", help="a module of documents.search (default: as configured)")

    def run(self, **options: Any) -> int:
        if options["chunks"] < 1:
            raise CommandError("--chunks must be at least 1", returncode=REFUSED)
        given = Given(
            size=Size(options["chunks"]),
            texts=[path.read_text(encoding="utf-8") for path in sorted((HERE / "demo" / "sources").glob("*/*.md"))],
            asked=[case.question for case in load(HERE / "sets" / "demo.jsonl") if not case.history],
            today=timezone.localdate(),
            supervisor=settings.INSTANCE.run / "supervisord.pid",
        )
        with own_database(options["engine"]) as name:
            self.progress(f"database {name}")
            result = run(given, self.progress)
        if options["json"]:
            self.print_json(asdict(result))
        else:
            self.stdout.write("\n".join(lines(result)))
        return 0
