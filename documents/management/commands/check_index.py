from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from documents import jobs
from documents.cli import NOT_HELD, REFUSED, PortalCommand
from documents.search import active
from documents.search.base import EngineUnavailable
from documents.search.check import Drift, check
from documents.search.rebuild import RebuildRefused
from documents.search.repair import repair, tell


class Command(PortalCommand):
    help = "Compares what every copy of the index holds with what the database says; exit status 1 when they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="make the index agree, then compare again")

    def run(self, **options: Any) -> int:
        drifts = self._check()
        repaired = 0
        if drifts and options["repair"]:
            repaired = len(drifts)
            try:
                repair(active.engine(), drifts, lambda done, total: self.progress(f"indexing revisions {done}/{total}"))
            except RebuildRefused as error:
                raise CommandError(str(error), returncode=REFUSED) from error
            drifts = self._check()
        tell(drifts)
        waiting = jobs.waiting()
        if waiting:
            told = ngettext(
                "%(count)d job is waiting: what it changes may show as a difference until it is done.",
                "%(count)d jobs are waiting: what they change may show as a difference until they are done.",
                waiting,
            )
            self.progress(told % {"count": waiting})
        version = active.version()
        if options["json"]:
            listed = [asdict(drift) for drift in drifts]
            number = version.pk if version else None
            self.print_json(
                {"version": number, "ok": not drifts, "waiting": waiting, "repaired": repaired, "drift": listed}
            )
        else:
            for drift in drifts:
                self.stdout.write(_line(drift))
            agrees = _("agrees with the database")
            mended = _(", repaired before: %(many)s") % {"many": _many(repaired)} if repaired else ""
            found = {"index": version, "found": _many(len(drifts)) if drifts else agrees, "mended": mended}
            self.stdout.write(_("index %(index)s: %(found)s%(mended)s") % found)
        return NOT_HELD if drifts else 0

    def _check(self) -> list[Drift]:
        version = active.version()
        if version is None:
            raise EngineUnavailable("there is no index yet: import a corpus or run `manage.py reindex`")
        return check(active.engine(), version)


def _many(count: int) -> str:
    return ngettext("%(count)d difference", "%(count)d differences", count) % {"count": count}


def _line(drift: Drift) -> str:
    place = f"{drift.document}@{drift.revision}" if drift.revision else drift.document
    return " ".join(part for part in (drift.kind, place, str(drift.chunk or ""), drift.where) if part)
