"""What the portal's commands share: one JSON value on standard output, one clear line on failure, three exit codes."""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from documents.embedders.base import EmbedderUnavailable
from documents.errors import DomainError, no_room
from documents.search.base import EngineUnavailable
from kbportal import env

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NOT_HELD = 1
REFUSED = 2


class PortalCommand(BaseCommand):
    """Exit status 0: done. 1: the check did not hold. 2: bad input or refused, with one line that says why.

    Subclasses implement `run`, which returns the exit status; progress and logs go to standard error. With `--json`
    a refusal is one JSON value as well: `{"error": {"code", "detail"}}`.
    """

    has_json = True
    _printed = False

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if self.has_json:
            parser.add_argument("--json", action="store_true", help="print one JSON value and nothing else")
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            status = self.run(**options)
        except CommandError as error:
            self._refused(options, "bad_input", str(error))
            raise
        except (DomainError, OperationalError, EngineUnavailable, EmbedderUnavailable) as error:
            code, detail = _words(error)
            self._refused(options, code, detail)
            raise CommandError(f"{code}: {detail}", returncode=REFUSED) from error
        except OSError as error:
            if not no_room(error):
                raise
            detail = "a disk is full; make room, then run the same command again"
            self._refused(options, "no_room", detail)
            raise CommandError(f"no_room: {detail}", returncode=REFUSED) from error
        if status:
            self.stdout.flush()
            sys.exit(status)

    def _refused(self, options: dict[str, Any], code: str, detail: str) -> None:
        if options.get("json") and not self._printed:
            self.print_json({"error": {"code": code, "detail": detail}})

    def run(self, **options: Any) -> int:
        raise NotImplementedError

    def print_json(self, value: object) -> None:
        self._printed = True
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str))

    def progress(self, message: str) -> None:
        self.stderr.write(message)


def _words(error: Exception) -> tuple[str, str]:
    """The code of a refusal and its sentence."""
    match error:
        case DomainError():
            return error.code, str(error)
        case OperationalError():
            cause = str(error).strip()
            where = "" if env.text("DATABASE_URL") else f" in {settings.INSTANCE.var} (KB_VAR names another folder)"
            return "unavailable", f"the database does not answer; is the portal running{where}? make up. {cause}"
    return "unavailable", str(error).strip()


def person(username: str) -> User:
    """The active person of this name. Raises `CommandError` (exit 2): gone and never there look alike."""
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise CommandError(f"there is no active person {username!r}", returncode=REFUSED)
    return user


def day(text: str) -> date:
    """The date of an argument, read by `run`: what the type of an argument raises would leave as a traceback."""
    try:
        if not DAY.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text!r} is not a date such as 2026-03-01", returncode=REFUSED) from error
