from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from documents.cli import NOT_HELD, REFUSED, PortalCommand
from evaluation.loading import load, readers
from evaluation.rules import compare, gates, metrics, shape, table
from evaluation.rules.gates import BadGates, Gate
from evaluation.rules.judging import Judged
from evaluation.runner import Progress, run
from evaluation.systems.choice import NAMES, system
from evaluation.systems.pasted_prompt import DOCUMENTS


class Command(PortalCommand):
    help = "Runs a question set, each question as the person who asks it, and judges the answers. Records no evidence."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("set", metavar="SET.jsonl", type=Path)
        parser.add_argument("--system", choices=NAMES, default=NAMES[0])
        parser.add_argument("--compare", action="store_true", help="run the other system too, and compare the two")
        parser.add_argument("--gate", type=Path, metavar="FILE", help="{metric: {min|max: number}} in YAML or JSON")
        parser.add_argument(
            "--pasted", type=int, default=DOCUMENTS, metavar="N", help=f"documents in the pasted prompt ({DOCUMENTS})"
        )

    def run(self, **options: Any) -> int:
        wanted = _gates(options["gate"]) if options["gate"] else []
        cases = load(options["set"])
        asking, name = readers(cases), options["system"]

        def judge(chosen: str) -> list[Judged]:
            answering = system(chosen, cases, timezone.localdate(), options["pasted"])
            return run(cases, asking, answering, self._told(chosen))

        judged = judge(name)
        whole, parts = metrics.report(name, judged), metrics.by_tag(name, judged)
        value, lines = shape.evaluation(whole, parts, judged), table.summary(whole)
        if options["compare"]:
            other = next(other for other in NAMES if other != name)
            second = judge(other)
            summary, paired = metrics.report(other, second), compare.paired(judged, second)
            value["compare"] = {**shape.figures(summary), "paired": shape.comparison(paired)}
            lines += ["", *table.summary(summary), "", *table.comparison(name, other, paired)]
        try:
            failed = gates.failed(wanted, whole, parts)
        except BadGates as error:
            raise CommandError(f"{options['gate']}: {error}", returncode=REFUSED) from error
        if options["json"]:
            self.print_json(value)
        else:
            self.stdout.write("\n".join([*lines, "", *table.tags(parts), "", *table.wrong(judged)]))
        for line in failed:
            self.stderr.write(f"gate: {line}")
        return NOT_HELD if failed else 0

    def _told(self, name: str) -> Progress:
        def progress(done: int, total: int) -> None:
            if done % 25 == 0 or done == total:
                self.progress(f"{name} {done}/{total}")

        return progress


def _gates(path: Path) -> list[Gate]:
    try:
        return gates.read(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=REFUSED) from error
    except (BadGates, yaml.YAMLError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {' '.join(str(error).split())}", returncode=REFUSED) from error
