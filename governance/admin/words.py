"""What the points of a check say to people."""

from __future__ import annotations

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from governance.rules.checks import Check, Point


def sentence(check: Check) -> str:
    names = ", ".join(check.names)
    day = date_format(check.day, "SHORT_DATE_FORMAT") if check.day else ""
    return {
        Point.OWNED: _("The document has an owner."),
        Point.NO_OWNER: _("The document has no owner: name one, or nothing of it is quoted."),
        Point.OWNER_GONE: _("The owner's account is not active: hand the document to somebody else."),
        Point.NO_APPROVER: _("Nobody but the author could approve it: give the area another approver."),
        Point.READERS: _("Readers: %(names)s.") % {"names": names},
        Point.NO_READERS: _("Nobody but the owner may read it: grant it to those it is for."),
        Point.READERS_TOO_WIDE: _("Restricted texts ignore grants to whole areas and units: %(names)s.")
        % {"names": names},
        Point.UNKNOWN_UNITS: _("The scope names units that do not exist: %(names)s.") % {"names": names},
        Point.NO_TEXT: _("The file gave no readable text: replace it by one with text."),
        Point.EXTRACTION: _("The extraction left warnings (%(names)s): compare the text with the original.")
        % {"names": names},
        Point.WINDOW_FREE: _("Its dates fit between those of the other revisions."),
        Point.NO_START: _("It has no start yet: the day is asked for when it is published."),
        Point.OVERLAP: _("Revision %(names)s begins on %(day)s, within its dates: it could not be published.")
        % {"names": names, "day": day},
        Point.PLANNED_OVERLAP: _("Other revisions are being prepared for the same days: %(names)s.") % {"names": names},
        Point.ENDS_WITHOUT_SUCCESSOR: _("It ends on %(day)s and nothing follows it.") % {"day": day},
        Point.GAP_BEFORE: _("From %(day)s until its start no text of the document is in force.") % {"day": day},
        Point.RIVALS: _(
            "Another source of the same standing governs the same subject and no rule says which prevails: %(names)s."
        )
        % {"names": names},
        Point.NO_RIVALS: _("No other source in force governs the same subject without a rule."),
    }[check.point]
