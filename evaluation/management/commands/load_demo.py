from __future__ import annotations

import os
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from chat.models import Calibration
from documents.cli import NOT_HELD, REFUSED, PortalCommand
from documents.embedders.base import Embedder
from evaluation.demo import vectors
from evaluation.demo.build import build
from evaluation.demo.errors import SourceError
from governance.importing.corpus import BadManifest, import_corpus
from governance.importing.report import Report
from kbportal.backends import get_backend

ADMIN = "admin"


QUESTIONS = Path(__file__).parents[2] / "sets" / "demo.jsonl"


class Command(PortalCommand):
    help = (
        "Builds the demo corpus and imports it with its people. Repeating it changes nothing; once it was loaded, "
        "what people moved in the portal stays where they moved it and is no failure."
    )
    has_json = False

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--keep-vectors",
            action="store_true",
            help="afterwards write the vectors of this portal's passages beside the sources",
        )

    def run(self, **options: Any) -> int:
        if not settings.KB_LOOPBACK:
            message = "the demo people have a known password: only a portal on loopback takes them"
            raise CommandError(message, returncode=REFUSED)
        password = os.environ.get("KB_DEMO_PASSWORD", "").strip() or "demo"
        embedder: Embedder = get_backend("embedder")
        vectors.offer(embedder)
        used = Calibration.objects.exists()  # the last thing that a first load makes
        report = self._import(password)
        self._make_admin(password)
        for failed in report.failed:
            self.stderr.write(f"{failed.code}@{failed.revision}: {failed.reason}")
        if not report.failed:
            self._fit_thresholds()
        if options["keep_vectors"]:
            self.progress(f"{vectors.keep(embedder)} vectors kept")
        self.stdout.write(f"{report.created} created, {report.unchanged} unchanged, {len(report.failed)} failed")
        return NOT_HELD if report.failed and not used else 0

    def _import(self, password: str) -> Report:
        self.progress("building the demo corpus")
        try:
            folder = build(settings.INSTANCE.var / "demo")
            return import_corpus(folder, self.progress, password=password)
        except SourceError as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        except BadManifest as error:
            for problem in error.problems:
                self.stderr.write(f"{folder / problem.file}:{problem.line}: {problem.message}")
            raise

    def _fit_thresholds(self) -> None:
        """As a company would on its own questions: once, so that a fit made later by hand stays."""
        if not Calibration.objects.exists():
            self.progress("fitting the refusal thresholds on the demo's questions, those held out aside")
            call_command("calibrate", str(QUESTIONS), json=True, stdout=StringIO(), stderr=self.stderr)

    def _make_admin(self, password: str) -> None:
        users = get_user_model().objects
        if not users.filter(username=ADMIN).exists():
            users.create_superuser(ADMIN, password=password)
