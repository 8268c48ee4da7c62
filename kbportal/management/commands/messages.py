from __future__ import annotations

import polib
from django.core.management.base import BaseCommand, CommandError, CommandParser

from kbportal.translations import CATALOG, LOCALE, bring_in_line, compile_catalogs, messages_in_use, problems


class Command(BaseCommand):
    help = "Brings the catalog of translations in line with the code; --check only says whether it is."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 unless all is translated")
        parser.add_argument("--compile", action="store_true", help="only make the .mo files that Django reads")

    def handle(self, *, check: bool, compile: bool, **options: object) -> None:
        if compile:
            compile_catalogs()
            return
        path = LOCALE / CATALOG
        catalog = polib.pofile(str(path)) if path.exists() else polib.POFile()
        wanted = messages_in_use()
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            catalog = bring_in_line(catalog, wanted)
            catalog.save(str(path))
        if found := problems(catalog, wanted):
            raise CommandError("\n".join([*found, f"{len(found)} in {CATALOG}: make messages, then translate"]))
        compile_catalogs()
