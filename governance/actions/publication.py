"""Publish, retire, restore: when a text counts, as dates. Nothing has to fire at midnight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils.translation import gettext as _

from documents.models import Revision
from documents.rules.lifecycle import Action
from documents.rules.types import Window
from governance import audit
from governance.actions._converge import converge_revisions
from governance.actions._rows import store
from governance.actions._transition import Asked, Move, facts, moving, moving_all, others_of, others_of_all, window_of
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
    return publish_all([Asked(revision_id, actor, reason, on)])[0]


def publish_all(asked: Sequence[Asked]) -> list[Revision]:
    """The same for revisions of different documents: all of them, or none."""
    with moving_all(Action.PUBLISH, asked) as moves:
        windows = [_window(move) for move in moves]
        for move, window in zip(moves, windows, strict=True):
            move.revision.validity = DateRange(window.start, window.until, "[)")
        _make_room(moves, windows)
    return [move.revision for move in moves]


def _window(move: Move) -> Window:
    """The days on which the text is to be in force, of which the first is known."""
    given = window_of(move.revision.validity)
    start = move.on or given.start
    publishable(move.revision)
    if start is None:
        raise StartRequired(
            _(
                "The draft has no start: say from which day it is in force"
                " (“From the day” on the page, --from DATE in the command, from in the API)."
            )
        )
    if given.until is not None and given.until <= start:
        raise EmptyWindow(_("It would end before it begins. Choose an earlier start."))
    return Window(start, given.until)


def publishable(revision: Revision) -> None:
    """Nothing when an approved text can be published on some day. Raises `OwnerRequired`, `ApprovalOutdated`."""
    if revision.document.owner_id is None:
        raise OwnerRequired(_("Name an owner for the document before publishing it."))
    if not approvals.counts(revision.approved_hash, revision.content_hash):
        raise ApprovalOutdated(_("The approval was for another text. Submit the revision again."))


def retire(revision_id: int, *, actor: AbstractBaseUser, reason: str, on: date | None = None) -> Revision:
    """Published → retired: it leaves force on `on` (today when absent; a future day leaves it in force until then)."""
    return retire_all([Asked(revision_id, actor, reason, on)])[0]


def retire_all(asked: Sequence[Asked]) -> list[Revision]:
    """The same for revisions of different documents: all of them, or none."""
    with moving_all(Action.RETIRE, asked) as moves:
        for move in moves:
            move.revision.retired_on = move.on or move.today
    return [move.revision for move in moves]


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


def _make_room(moves: Sequence[Move], windows: Sequence[Window]) -> None:
    """What is in force on the first day of a window ends there. Raises `Overlap`."""
    others = others_of_all([move.revision for move in moves])
    closing: dict[int, tuple[Move, Window]] = {}
    for move, window in zip(moves, windows, strict=True):
        assert window.start is not None
        succession = succeed(window.start, window.until, others[move.revision.pk])
        if succession.obstacle is not None:
            first = succession.obstacle.window.start
            raise Overlap(
                _("Revision %(label)s begins on %(day)s: choose a later start, or retire it first.")
                % {"label": succession.obstacle.label, "day": first.isoformat() if first else "…"}
            )
        if succession.closes is not None:
            closing[succession.closes.id] = (move, window)
    if closing:
        _close(closing)


def _close(closing: Mapping[int, tuple[Move, Window]]) -> None:
    """End these revisions, by their ids, where the window begins that a move opens."""
    found = Revision.objects.select_related("document").defer("text", "pages").in_bulk(list(closing))
    predecessors = [found[pk] for pk in closing]
    before = [facts(row) for row in predecessors]
    for row in predecessors:
        row.validity = DateRange(row.validity.lower, closing[row.pk][1].start, "[)")
    store(predecessors, ["validity"])
    for row, old in zip(predecessors, before, strict=True):
        move, _opened = closing[row.pk]
        target = audit.revision_target(row)
        audit.record(
            Verb.REVISION_SUCCEEDED, actor=move.actor, target=target, before=old, after=facts(row), reason=move.reason
        )
    converge_revisions(predecessors)
