"""The sources of an answer: how each stands now for the person who asked, and what would have kept it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.askers import reader_now, reader_then
from chat.auditing import words
from chat.auditing.disclosure import Disclosure
from chat.models import EvidenceRecord
from chat.rules.evidence import cited_in
from chat.rules.stoppers import Stop, Stopper, stoppers
from documents.access import facts_of
from documents.models import Revision
from documents.rules.eligibility import decide


@dataclass(frozen=True, slots=True)
class Source:
    """`now` is why the person is not answered from it today, empty when they are; `stops` are sentences."""

    document: str
    revision: str
    revision_id: str
    title: str
    opens: bool
    now: str
    stops: Sequence[str]


def sources_of(record: EvidenceRecord, disclosure: Disclosure) -> list[Source]:
    """Every revision that the answer quoted, in order. The facts are those of now: a record keeps no grants."""
    cited = _cited(record.body)
    then, now, today = reader_then(record), reader_now(record), timezone.localdate()
    asked_today = timezone.localdate(record.recorded_at)
    known = Revision.objects.filter(pk__in=[int(name) for name in cited if name.isdecimal()])
    held = known.with_reason(now, today, today).select_related("document__area").defer("text", "pages", "warnings")
    rows = {str(row.pk): row for row in held}
    found = []
    for name, item in cited.items():
        revision = rows.get(name)
        facts = facts_of(revision.document, revision, revision.successor_on) if revision else None
        told = stoppers(then, facts, record.on, asked_today) if facts else ()
        found.append(
            Source(
                item["document"],
                item["revision"],
                name,
                item["title"] if name in disclosure.quotable else "",
                name in disclosure.open,
                _now(decide(now, facts, _asked_again(record, today), today).reason if facts else "gone"),
                [sentence(stop) for stop in told],
            )
        )
    return found


def _asked_again(record: EvidenceRecord, today: date) -> date:
    return record.on if record.body["temporal"] != "current" else today


def _now(reason: str) -> str:
    return "" if reason == "eligible" else words.say(words.REASON, reason)


def _cited(body: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {cited["revision_id"]: cited for cited in cited_in(body)}


def sentence(stopper: Stopper) -> str:
    """A statement of what would have stopped the source."""
    told = {
        "names": ", ".join(_grant(name) for name in stopper.names),
        "day": date_format(stopper.day, "SHORT_DATE_FORMAT") if stopper.day else "",
    }
    return {
        Stop.NO_GRANT: _("Without the permission that the person has (%(names)s)."),
        Stop.OTHER_UNIT: _("For a person who is in none of the units %(names)s."),
        Stop.OTHER_JURISDICTION: _("For a person outside the jurisdictions %(names)s."),
        Stop.NOT_PUBLISHED: _("If it had not been approved and published."),
        Stop.BEFORE_START: _("For a question about %(day)s or before: it was not yet in force."),
        Stop.FROM_END: _("For a question about %(day)s or later: its validity ends there."),
        Stop.RETIRED: _("If it had been retired by that day."),
        Stop.NO_OWNER: _("If the document had no owner."),
    }[stopper.stop] % told


def _grant(name: str) -> str:
    """`group:todos` as "group todos"; a bare name as it is."""
    kind, colon, held = name.partition(":")
    if name == "person":
        return _("given to the person")
    named = {"group": _("group %(name)s"), "area": _("area %(name)s"), "unit": _("unit %(name)s")}
    return named[kind] % {"name": held} if colon and kind in named else name
