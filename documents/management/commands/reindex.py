from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import ngettext

from documents.cli import REFUSED, PortalCommand
from documents.search.rebuild import RebuildRefused, reindex, rollback


class Command(PortalCommand):
    help = "Builds a new index beside the one in use, compares it with the database and switches."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rollback", action="store_true", help="return to the previous index instead")

    def run(self, **options: Any) -> int:
        work = rollback if options["rollback"] else reindex
        try:
            version = work(lambda done, total: self.progress(f"indexing revisions {done}/{total}"))
        except RebuildRefused as error:
            raise CommandError(str(error), returncode=REFUSED) from error
        if options["json"]:
            self.print_json(
                {
                    "version": version.pk,
                    "entries": version.entries,
                    "revisions": version.revisions,
                    "set_hash": version.set_hash,
                    "configuration_hash": version.configuration_hash,
                }
            )
        else:
            told = ngettext(
                "index %(index)s is in use: %(count)d passage",
                "index %(index)s is in use: %(count)d passages",
                version.entries,
            )
            self.stdout.write(told % {"index": version, "count": version.entries})
        return 0
