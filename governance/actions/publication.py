"""Publish, retire, restore: when a text counts, as dates. Nothing has to fire at midnight."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils.translation import gettext as _

from documents.models import Revision
from documents.rules.lifecycle import Action
from documents.rules.types import Window
from governance import audit
from governance.actions._converge import converge_revision
from governance.actions._transition import Move, facts, moving, others_of, window_of
from governance.errors import ApprovalOutdated, EmptyWindow, Overlap, OwnerRequired, StartRequired
from governance.models import Verb
from governance.rules import approvals
from governance.rules.succession import reopen, succeed, uncovered


def publish(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """Approved → published, in force from `on`, else from the start that the draft was given.

    The revision in force on that day ends there, in the same transaction; until that day it stays in force. Raises
    `StartRequired`, `EmptyWindow`, `OwnerRequired`, `ApprovalOutdated`, and `Overlap` where another revision begins
    on that day or later (unless this one ends, explicitly, before it).
    """
    with moving(Action.PUBLISH, revision_id, actor=actor, reason=reason, on=on) as move:
        revision = move.revision
        given = window_of(revision.validity)
        start = on or given.start
        publishable(revision)
        if start is None:
            raise StartRequired(
                _(
                    "The draft has no start: say from which day it is in force"
                    " (“From the day” on the page, --from DATE in the command, from in the API)."
                )
            )
        if given.until is not None and given.until <= start:
            raise EmptyWindow(_("It would end before it begins. Choose an earlier start."))
        revision.validity = DateRange(start, given.until, "[)")
        _make_room(move, start, given.until)
    return move.revision


def publishable(revision: Revision) -> None:
    """Nothing when an approved text can be published on some day. Raises `OwnerRequired`, `ApprovalOutdated`."""
    if revision.document.owner_id is None:
        raise OwnerRequired(_("Name an owner for the document before publishing it."))
    if not approvals.counts(revision.approved_hash, revision.content_hash):
        raise ApprovalOutdated(_("The approval was for another text. Submit the revision again."))


def retire(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """Published → retired: it leaves force on `on` (today when absent; a future day leaves it in force until then)."""
    with moving(Action.RETIRE, revision_id, actor=actor, reason=reason, on=on) as move:
        move.revision.retired_on = on or move.today
    return move.revision


def restore(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """Retired → published again, in its old window, which a text that begins later ends as any successor would.

    Raises `Overlap` when another text holds days of it up to today: then its text needs a revision of its own.
    """
    with moving(Action.RESTORE, revision_id, actor=actor, reason=reason, on=on) as move:
        window = restorable(move.revision, move.today)
        ended = move.revision.retired_on
        if ended is not None and ended <= move.today:  # its days open anew: it counts once the index holds all of it
            Revision.objects.filter(pk=revision_id).update(published_at=None)
        move.revision.validity = DateRange(window.start, window.until, "[)")
        move.revision.retired_on = None
    return move.revision


def restorable(revision: Revision, today: date) -> Window:
    """The window that a retired text would get back. Raises `Overlap`, which says what to do instead."""
    reopening = reopen(window_of(revision.validity), others_of(revision), today)
    if reopening.window is not None:
        return reopening.window
    obstacle = reopening.obstacle
    assert obstacle is not None
    start, until = obstacle.window.start, obstacle.window.until
    raise Overlap(
        _(
            "Revision %(label)s counts from %(start)s to %(until)s, within the days of this one: those days stay its"
            " own. Create a new revision with this text and publish it from today."
        )
        % {
            "label": obstacle.label,
            "start": start.isoformat() if start else "…",
            "until": until.isoformat() if until else "…",
        }
    )


def leaves_a_gap(revision: Revision) -> date | None:
    """The day from which no text of the document is in force because this one was retired; None when one is."""
    if revision.retired_on is None:
        return None
    return revision.retired_on if uncovered(revision.retired_on, others_of(revision)) else None


def _make_room(move: Move, start: date, until: date | None) -> None:
    succession = succeed(start, until, others_of(move.revision))
    if succession.obstacle is not None:
        first = succession.obstacle.window.start
        raise Overlap(
            _("Revision %(label)s begins on %(day)s: choose a later start, or retire it first.")
            % {"label": succession.obstacle.label, "day": first.isoformat() if first else "…"}
        )
    if succession.closes is None:
        return
    predecessor = Revision.objects.select_related("document").get(pk=succession.closes.id)
    before = facts(predecessor)
    predecessor.validity = DateRange(predecessor.validity.lower, start, "[)")
    predecessor.save(update_fields=["validity"])
    audit.record(
        Verb.REVISION_SUCCEEDED,
        actor=move.actor,
        target=audit.revision_target(predecessor),
        before=before,
        after=facts(predecessor),
        reason=move.reason,
    )
    converge_revision(predecessor)
