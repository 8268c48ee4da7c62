from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat import chain
from chat.auditing import certificates, wording
from chat.models import EvidenceRecord
from chat.rules.certificate import FORMAT, check, holds
from documents.cli import NOT_HELD, REFUSED, PortalCommand


class Command(PortalCommand):
    help = "Walks the hash chain of the evidence, or checks one certificate; exit status 1 where it does not hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--certificate",
            type=Path,
            metavar="FILE",
            help="check the certificate of one answer, without a database",
        )
        parser.add_argument(
            "--root",
            metavar="HASH",
            help=(
                "with --certificate: the root that was noted elsewhere for a chain of that size; "
                "the seal, which asks for the secret of the portal that made it, is then not looked at"
            ),
        )

    def run(self, **options: Any) -> int:
        if options["certificate"]:
            return self._certificate(_read(options["certificate"]), options["root"], as_json=options["json"])
        if options["root"]:
            raise CommandError(_("--root belongs to --certificate FILE."), returncode=REFUSED)
        return self._chain(as_json=options["json"])

    def _chain(self, *, as_json: bool) -> int:
        breaks = list(chain.verify())
        count, root = EvidenceRecord.objects.count(), chain.root()
        if as_json:
            listed = [asdict(item) for item in breaks]
            self.print_json({"ok": not breaks, "records": count, "root": root, "breaks": listed})
            return NOT_HELD if breaks else 0
        for item in breaks:
            self.stdout.write(f"{item.sequence} {item.record}: {item.problem}")
        records = ngettext("%(count)d record", "%(count)d records", count) % {"count": count}
        many = ngettext("%(count)d break", "%(count)d breaks", len(breaks)) % {"count": len(breaks)}
        whole = _("the chain holds")
        self.stdout.write(f"{records}: {many if breaks else whole}")
        self.stdout.write(
            _("root %(root)s (note it elsewhere: it shows later that nothing was rewritten)") % {"root": root}
        )
        return NOT_HELD if breaks else 0

    def _certificate(self, value: Mapping[str, Any], root: str | None, *, as_json: bool) -> int:
        found = check(value, seal=None if root else certificates.seal, root=root)
        held = holds(found)
        if as_json:
            self.print_json({"ok": held, "checks": {str(item.finding): item.held for item in found}})
            return 0 if held else NOT_HELD
        for item in found:
            self.stdout.write(f"{wording.MARK[item.held]} {wording.finding(item)}")
        self.stdout.write(_("The certificate holds.") if held else _("The certificate does NOT hold."))
        return 0 if held else NOT_HELD


def _read(path: Path) -> Mapping[str, Any]:
    """Raises `CommandError` (exit 2) for what is no certificate at all."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=REFUSED) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(
            _("%(path)s is not a certificate: it is no JSON.") % {"path": path}, returncode=REFUSED
        ) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        told = {"path": path, "format": FORMAT}
        raise CommandError(_("%(path)s is not a certificate of the form %(format)s.") % told, returncode=REFUSED)
    return value
