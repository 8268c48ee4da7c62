from __future__ import annotations

from dataclasses import asdict
from typing import Any

from documents.cli import NOT_HELD, PortalCommand
from documents.models import Job
from documents.search import active
from documents.search.base import EngineUnavailable
from documents.search.check import Drift, check


class Command(PortalCommand):
    help = "Compares what the index holds with what the database says; exit status 1 when they differ."

    def run(self, **options: Any) -> int:
        version = active.version()
        if version is None:
            raise EngineUnavailable("there is no index yet: import a corpus or run `manage.py reindex`")
        drifts = check(active.engine(), version)
        waiting = Job.objects.exclude(state=Job.State.DONE).count()
        if waiting:
            self.progress(f"{waiting} jobs are waiting: what they change may show as a difference until they are done")
        if options["json"]:
            listed = [asdict(drift) for drift in drifts]
            self.print_json({"version": version.pk, "ok": not drifts, "waiting": waiting, "drift": listed})
        else:
            for drift in drifts:
                self.stdout.write(_line(drift))
            many = "1 difference" if len(drifts) == 1 else f"{len(drifts)} differences"
            self.stdout.write(f"index {version}: {many if drifts else 'agrees with the database'}")
        return NOT_HELD if drifts else 0


def _line(drift: Drift) -> str:
    place = f"{drift.document}@{drift.revision}" if drift.revision else drift.document
    return " ".join(part for part in (drift.kind, place, str(drift.chunk or "")) if part)
