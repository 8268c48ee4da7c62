from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from chat.models import Calibration
from chat.rules.abstain import MOST_WRONG_REFUSALS, Fit, fit
from documents.cli import REFUSED, PortalCommand
from evaluation.calibration import samples, store
from evaluation.loading import load, readers
from evaluation.rules import curve

HELD = "held"


class Command(PortalCommand):
    help = "Fits the refusal thresholds on a question set and puts them to use as a new version; prints the curve."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("set", metavar="SET.jsonl", type=Path)
        parser.add_argument("--all", action="store_true", help=f"fit on questions tagged {HELD!r} too")
        parser.add_argument(
            "--most-wrong-refusals",
            type=_share,
            default=MOST_WRONG_REFUSALS,
            metavar="SHARE",
            help=f"of the answerable questions, how many may be refused ({MOST_WRONG_REFUSALS})",
        )

    def run(self, **options: Any) -> int:
        path: Path = options["set"]
        cases = [case for case in load(path) if options["all"] or HELD not in case.tags]
        found = samples(cases, readers(cases), timezone.localdate(), self._progress)
        try:
            version = f"{path.stem}-{Calibration.objects.count() + 1}"
            fitted = fit(found, version, options["most_wrong_refusals"])
        except ValueError as error:
            raise CommandError(f"{path}: {error}", returncode=REFUSED) from error
        row = store(fitted, len(found), path.name)
        if options["json"]:
            self.print_json(_json(row, fitted, len(cases)))
        else:
            self.stdout.write("\n".join(curve.lines(fitted)))
            self.stdout.write(f"{row}: fitted on {len(found)} of {len(cases)} questions, in use from now on")
        return 0

    def _progress(self, done: int, total: int) -> None:
        if done % 25 == 0 or done == total:
            self.progress(f"{done}/{total}")


def _share(value: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise ArgumentTypeError(f"{value!r} is no share: give a number from 0 to below 1, such as 0.1")
    return share


def _json(row: Calibration, fitted: Fit, questions: int) -> dict[str, object]:
    return {
        "calibration": row.pk,
        "thresholds": asdict(fitted.thresholds),
        "questions": questions,
        "fitted_on": row.questions,
        "curve": row.curve,
    }
