"""What a replay found, in sentences for people."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.auditing import words
from chat.replay import PASSED, Moved, Replay


def headline(result: Replay) -> str:
    if not result.differs:
        return _("Asked again today, the answer is the same.")
    if result.status_then != result.status_now:
        return _("Asked again today, it comes out as “%(now)s” and no longer as “%(then)s”.") % {
            "now": words.say(words.STATUS, result.status_now),
            "then": words.say(words.STATUS, result.status_then),
        }
    return _("Asked again today, the answer quotes something else.")


def sentences(result: Replay) -> list[str]:
    """Why the answer differs, most telling first; what moved without changing it is told too."""
    told = [_moved(moved) for moved in result.changes]
    if result.on_then != result.on_now:
        told.append(
            _("It was about %(then)s and is now about %(now)s.")
            % {name: date_format(day, "SHORT_DATE_FORMAT") for name, day in _days(result)}
        )
    told += [
        _("Other version of “%(part)s”: %(then)s then, %(now)s now.")
        % {"part": words.say(words.VERSION, part), "then": then or "—", "now": now}
        for part, (then, now) in sorted(result.versions.items())
    ]
    if result.differs and not told:
        told.append(_("The passages that rank first are others: the base has new text."))
    return told


def _days(result: Replay) -> tuple[tuple[str, date], ...]:
    return ("then", result.on_then), ("now", result.on_now)


def _moved(moved: Moved) -> str:
    name = {"source": f"{moved.document}@{moved.revision}", "now": words.say(words.REASON, moved.now)}
    if moved.now == "eligible":
        text = _("%(source)s could not be used then (%(then)s) and is sent to the answer now.")
        if moved.then is None:
            return _("%(source)s was not among the candidates then and is sent to the answer now.") % name
        return text % {**name, "then": words.say(words.REASON, moved.then)}
    if moved.then is None:
        return _("%(source)s was not among the candidates then; now: %(now)s.") % name
    if moved.then in PASSED:
        return _("%(source)s could be used then; now: %(now)s.") % name
    return _("%(source)s then: %(then)s; now: %(now)s.") % {**name, "then": words.say(words.REASON, moved.then)}
