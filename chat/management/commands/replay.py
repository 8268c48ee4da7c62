from __future__ import annotations

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.auditing import differences, words
from chat.models import EvidenceRecord
from chat.replay import Replay, replay
from documents.cli import REFUSED, PortalCommand


class Command(PortalCommand):
    help = "Asks a recorded question again: what was eligible then, what is now, whether the answer would differ."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("evidence", metavar="EVIDENCE_ID")

    def run(self, **options: Any) -> int:
        result = replay(record(options["evidence"]))
        if options["json"]:
            self.print_json(asdict(result))
        else:
            self._tell(result)
        return 0

    def _tell(self, result: Replay) -> None:
        self.stdout.write(result.question)
        then = date_format(result.on_then, "SHORT_DATE_FORMAT"), words.say(words.STATUS, result.status_then)
        now = date_format(result.on_now, "SHORT_DATE_FORMAT"), words.say(words.STATUS, result.status_now)
        none = _("no source")
        self.stdout.write(
            _("Then (%(day)s): %(status)s, from %(sources)s")
            % {"day": then[0], "status": then[1], "sources": ", ".join(result.cited_then) or none}
        )
        self.stdout.write(
            _("Now (%(day)s): %(status)s, from %(sources)s")
            % {"day": now[0], "status": now[1], "sources": ", ".join(result.cited_now) or none}
        )
        self.stdout.write(differences.headline(result))
        for sentence in differences.sentences(result):
            self.stdout.write(f"  {sentence}")


def record(text: str) -> EvidenceRecord:
    """The record of this id. Raises `CommandError` (exit 2) when there is none."""
    try:
        held: EvidenceRecord = EvidenceRecord.objects.get(id=UUID(text))
    except (ValueError, EvidenceRecord.DoesNotExist) as error:
        message = _("There is no evidence record %(id)s.") % {"id": repr(text)}
        raise CommandError(message, returncode=REFUSED) from error
    return held
