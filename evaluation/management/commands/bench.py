from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from documents.cli import REFUSED, PortalCommand
from documents.search import active
from evaluation.bench.database import forget, own_database
from evaluation.bench.report import lines
from evaluation.bench.run import ALONE, ON_PASSAGES, Given, Size, alone, run
from evaluation.loading import load

HERE = Path(__file__).resolve().parents[2]
CHUNKS = 30_000
ENGINES = ("postgres", "elasticsearch")


class Command(PortalCommand):
    help = "Measures search, answers, import and memory on a made-up company in a database of its own."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--chunks", type=int, nargs="+", metavar="N", default=[CHUNKS],
            help=f"passages (default {CHUNKS}); several sizes are measured one after the other, with what they grow by",
        )  # fmt: skip
        parser.add_argument("--engine", choices=ENGINES, help="as KB_ENGINE (default: as configured)")
        parser.add_argument(
            "--only", nargs="+", choices=[*ON_PASSAGES, *ALONE], metavar="PART",
            help=f"measure these alone: {', '.join([*ON_PASSAGES, *ALONE])}",
        )  # fmt: skip
        parser.add_argument("--documents", type=int, default=Size(1).imported, help="how many the bulk import has")
        parser.add_argument("--keep", action="store_true", help="keep the made-up company, and use the one kept before")
        parser.add_argument("--forget", action="store_true", help="remove what --keep kept of these sizes, and stop")

    def run(self, **options: Any) -> int:
        if min(*options["chunks"], options["documents"]) < 1:
            raise CommandError("--chunks and --documents must be at least 1", returncode=REFUSED)
        engine = options["engine"] or active.engine().name
        if options["forget"]:
            for chunks in options["chunks"]:
                forget(f"{engine}_{chunks}", options["engine"])
            return 0
        wanted = options["only"] or [*ON_PASSAGES, *ALONE]
        results, own = [], []
        for chunks in sorted(options["chunks"]) if set(wanted) & set(ON_PASSAGES) else ():
            with own_database(options["engine"], f"{engine}_{chunks}" if options["keep"] else None) as place:
                self.progress(f"database {place.database}")
                results.append(run(_given(chunks, wanted, options["documents"]), place, self.progress))
        for part in (part for part in ALONE if part in wanted):
            with own_database(options["engine"]):
                own.append(alone(part, _given(1, wanted, options["documents"]), self.progress))
        if options["json"]:
            self.print_json({"sizes": [asdict(result) for result in results], "alone": [asdict(one) for one in own]})
        else:
            self.stdout.write("\n".join(lines(results, own)))
        return 0


def _given(chunks: int, wanted: list[str], documents: int) -> Given:
    return Given(
        size=Size(chunks, imported=documents),
        texts=[path.read_text(encoding="utf-8") for path in sorted((HERE / "demo" / "sources").glob("*/*.md"))],
        asked=[case.question for case in load(HERE / "sets" / "demo.jsonl") if not case.history],
        today=timezone.localdate(),
        supervisor=settings.INSTANCE.run / "supervisord.pid",
        parts=wanted,
    )
