"""`govern ACTION CODE[@LABEL] --as USER --reason TEXT [--from DATE]`: a move, by the function that the admin calls."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import date

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from documents.errors import DomainError
from documents.models import Revision
from documents.rules.lifecycle import TRANSITIONS, Action
from governance.actions import MOVES
from governance.permissions import known_revisions

REFUSED = 2


class Command(BaseCommand):
    help = "Submit, approve, reject, publish, retire or restore a revision, as a person and with a reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=[str(action) for action in Action])
        parser.add_argument("revision", metavar="CODE[@LABEL]")
        parser.add_argument("--as", dest="user", required=True, metavar="USER")
        parser.add_argument("--reason", required=True, metavar="TEXT")
        parser.add_argument("--from", dest="on", type=date.fromisoformat, metavar="DATE")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: object, **options: object) -> None:
        action = Action(str(options["action"]))
        on = options["on"]
        assert on is None or isinstance(on, date)
        try:
            actor = _actor(str(options["user"]))
            revision = _revision(str(options["revision"]), action, actor)
            moved = MOVES[action](revision.pk, actor=actor, reason=str(options["reason"]), on=on)
        except DomainError as error:
            raise CommandError(" ".join(str(error.message).split()), returncode=REFUSED) from error
        if options["json"]:
            self.stdout.write(json.dumps(_told(moved, action), ensure_ascii=False))
        else:
            self.stdout.write(f"{moved}: {moved.get_state_display()}")


def _actor(username: str) -> AbstractBaseUser:
    actor = get_user_model()._default_manager.filter(username=username, is_active=True).first()
    if actor is None:
        raise CommandError(_("There is no such person."), returncode=REFUSED)
    return actor


def _revision(name: str, action: Action, actor: AbstractBaseUser) -> Revision:
    """The revision named, or the only one of the document that the action fits. Hidden and missing: the same words."""
    code, _at, label = name.partition("@")
    rows = known_revisions(actor).filter(document__code=code).select_related("document").order_by("pk")
    if label:
        revision = rows.filter(label=label).first()
        if revision is None:
            raise _missing(name)
        return revision
    if not rows:
        raise _missing(name)
    fitting = [row for row in rows if row.state in TRANSITIONS[action].sources]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        states = ", ".join(f"{row.label} ({row.get_state_display()})" for row in rows)
        message = _("No revision of %(code)s is in a state for this: %(states)s.") % {"code": code, "states": states}
        raise CommandError(message, returncode=REFUSED)
    labels = ", ".join(f"{code}@{row.label}" for row in fitting)
    raise CommandError(_("Say which one: %(labels)s.") % {"labels": labels}, returncode=REFUSED)


def _missing(name: str) -> CommandError:
    return CommandError(_("There is no such document or revision: %(name)s.") % {"name": name}, returncode=REFUSED)


def _told(revision: Revision, action: Action) -> dict[str, str | None]:
    window = revision.in_force
    return {
        "action": str(action),
        "document": revision.document.code,
        "revision": revision.label,
        "revision_id": str(revision.pk),
        "state": revision.state,
        "in_force_from": window.lower.isoformat() if window and window.lower else None,
        "in_force_until": window.upper.isoformat() if window and window.upper else None,
    }
