"""`govern ACTION CODE[@LABEL] --as USER --reason TEXT [--from DATE]`: a move, by the function that the admin calls."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.cli import PortalCommand, day, person
from documents.models import Revision
from documents.rules.lifecycle import TRANSITIONS, Action
from governance.actions import MOVES
from governance.actions.publication import leaves_a_gap
from governance.errors import Invalid, NotFound, WrongState
from governance.permissions import known_revisions


class Ambiguous(Invalid):
    code = "ambiguous"


class Command(PortalCommand):
    help = "Submit, approve, reject, publish, retire or restore a revision, as a person and with a reason."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=[str(action) for action in Action])
        parser.add_argument("revision", metavar="CODE[@LABEL]")
        parser.add_argument("--as", dest="user", required=True, metavar="USER")
        parser.add_argument("--reason", required=True, metavar="TEXT")
        parser.add_argument("--from", dest="on", metavar="DATE")

    def run(self, **options: Any) -> int:
        action, actor = Action(options["action"]), person(options["user"])
        on: date | None = day(options["on"]) if options["on"] else None
        revision = _revision(options["revision"], action, actor)
        moved = MOVES[action](revision.pk, actor=actor, reason=options["reason"], on=on)
        if options["json"]:
            self.print_json(_told(moved, action))
        else:
            self.stdout.write(f"{moved}: {moved.get_state_display()}")
        if action is Action.RETIRE and (gap := leaves_a_gap(moved)) is not None:
            self.progress(
                _("No text of %(code)s is in force from %(day)s.") % {"code": moved.document.code, "day": gap}
            )
        return 0


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
    fitting = [row for row in rows if row.state in TRANSITIONS[action].sources and not _past(row, action)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        states = ", ".join(f"{row.label} ({row.get_state_display()})" for row in rows)
        message = _("No revision of %(code)s is in a state for this: %(states)s.") % {"code": code, "states": states}
        raise WrongState(message)
    labels = ", ".join(f"{code}@{row.label}" for row in fitting)
    raise Ambiguous(_("Say which one: %(labels)s.") % {"labels": labels})


def _past(revision: Revision, action: Action) -> bool:
    """Whether only somebody who names the revision can mean it: its window has ended, there is nothing to withdraw."""
    window = revision.in_force
    return action is Action.RETIRE and window.upper is not None and window.upper <= timezone.localdate()


def _missing(name: str) -> NotFound:
    return NotFound(_("There is no such document or revision: %(name)s.") % {"name": name})


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
