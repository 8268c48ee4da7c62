from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from documents.cli import NOT_HELD, REFUSED, PortalCommand
from governance.importing.corpus import BadManifest, import_corpus
from governance.importing.report import Report


class Command(PortalCommand):
    help = "Imports a folder with a corpus.yaml. Importing it again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path)
        parser.add_argument(
            "--demo-passwords", metavar="PASSWORD", nargs="?", const="demo", help="give new people this password"
        )

    def run(self, **options: Any) -> int:
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder", returncode=REFUSED)
        try:
            report = import_corpus(folder, self.progress, password=options["demo_passwords"])
        except BadManifest as error:
            for problem in error.problems:
                self.stderr.write(f"{folder / problem.file}:{problem.line}: {problem.message}")
            if options["json"]:
                self.print_json(asdict(Report()) | {"problems": [asdict(problem) for problem in error.problems]})
            raise
        for failed in report.failed:
            self.stderr.write(f"{failed.code}{'@' if failed.revision else ''}{failed.revision}: {failed.reason}")
        if options["json"]:
            self.print_json(asdict(report))
        else:
            self.stdout.write(
                f"{report.created} created, {report.unchanged} unchanged, {report.updated} updated,"
                f" {len(report.failed)} failed"
            )
        return NOT_HELD if report.failed else 0
