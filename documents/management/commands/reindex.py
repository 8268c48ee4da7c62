from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError

from documents.cli import REFUSED, PortalCommand
from documents.search.rebuild import RebuildRefused, reindex


class Command(PortalCommand):
    help = "Builds a new index beside the one in use, compares it with the database and switches."

    def run(self, **options: Any) -> int:
        try:
            version = reindex(lambda done, total: self.progress(f"embedding {done}/{total}"))
        except RebuildRefused as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        if options["json"]:
            self.print_json({"version": version.pk, "entries": version.entries, "set_hash": version.set_hash})
        else:
            self.stdout.write(f"index {version} is in use: {version.entries} chunks")
        return 0
