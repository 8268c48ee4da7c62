"""What the portal's commands share: one JSON value on standard output, one clear line on failure, three exit codes."""

from __future__ import annotations

import json
import re
import sys
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from documents.embedders.base import EmbedderUnavailable
from documents.errors import DomainError
from documents.search.base import EngineUnavailable

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NOT_HELD = 1
REFUSED = 2


class PortalCommand(BaseCommand):
    """Exit status 0: done. 1: the check did not hold. 2: bad input or refused, with one line that says why.

    Subclasses implement `run`, which returns the exit status; progress and logs go to standard error.
    """

    has_json = True

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if self.has_json:
            parser.add_argument("--json", action="store_true", help="print one JSON value and nothing else")
        return parser

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            status = self.run(**options)
        except DomainError as error:
            raise CommandError(f"{error.code}: {error}", returncode=REFUSED) from error
        except OperationalError as error:
            message = (
                f"unavailable: the database does not answer; is the portal running (make up)? {str(error).strip()}"
            )
            raise CommandError(message, returncode=REFUSED) from error
        except (EngineUnavailable, EmbedderUnavailable) as error:
            raise CommandError(f"unavailable: {str(error).strip()}", returncode=REFUSED) from error
        if status:
            self.stdout.flush()
            sys.exit(status)

    def run(self, **options: Any) -> int:
        raise NotImplementedError

    def print_json(self, value: object) -> None:
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str))

    def progress(self, message: str) -> None:
        self.stderr.write(message)


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
