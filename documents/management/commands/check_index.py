from __future__ import annotations

from dataclasses import asdict
from typing import Any

from documents.cli import NOT_HELD, PortalCommand
from documents.corpus import EngineUnavailable
from documents.search import active
from documents.search.check import check


class Command(PortalCommand):
    help = "Compares what the index holds with what the database says; exit status 1 when they differ."

    def run(self, **options: Any) -> int:
        version = active.version()
        if version is None:
            raise EngineUnavailable("there is no index yet: import a corpus or run `manage.py reindex`")
        drifts = check(active.engine(), version)
        if options["json"]:
            self.print_json({"version": version.pk, "ok": not drifts, "drift": [asdict(drift) for drift in drifts]})
        else:
            for drift in drifts:
                place = f"{drift.document}@{drift.revision}" if drift.revision else drift.document
                self.stdout.write(f"{drift.kind} {place} {drift.chunk or ''}".rstrip())
            self.stdout.write(f"index {version}: {'agrees with the database' if not drifts else f'{len(drifts)} differences'}")
        return NOT_HELD if drifts else 0
