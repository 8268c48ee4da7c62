"""Which words of a record a person may read: an answer is audited without opening the documents behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from chat.models import EvidenceRecord
from chat.rules import withheld
from documents.models import Revision
from documents.rules.types import Reader, Reason
from governance.permissions import readable_revisions


@dataclass(frozen=True, slots=True)
class Disclosure:
    """Ids of revisions. `quotable`: what the answer said of them may be shown; `open`: their text opens to the person.

    A person to whom a document was granted may read what an answer quoted of it, wherever it applies and whenever it
    was in force. Everything else of a text is the document page's to show. A document without a grant, or one that is
    gone, is told by its code and the reason alone.
    """

    quotable: frozenset[str] = field(default=frozenset())
    open: frozenset[str] = field(default=frozenset())

    def body(self, record: EvidenceRecord) -> dict[str, Any]:
        return withheld.withhold(record.body, self.quotable)

    def titles(self) -> dict[str, str]:
        """The titles of what opens, by the id of the revision."""
        rows = Revision.objects.filter(pk__in=[int(name) for name in self.open])
        return {str(pk): title for pk, title in rows.values_list("pk", "document__title")}

    def withheld(self, record: EvidenceRecord) -> tuple[str, ...]:
        return withheld.withheld(record.body, self.quotable)


def disclosed(reader: Reader, records: Iterable[EvidenceRecord]) -> Disclosure:
    """What this reader may see of these records, in two queries for them all."""
    return disclosed_of(reader, {name for record in records for name in withheld.sources(record.body)})


def disclosed_of(reader: Reader, revisions: Iterable[str]) -> Disclosure:
    """What this reader may see of these revisions (ids)."""
    ids = {int(name) for name in revisions if name.isdecimal()}
    if not ids or not reader.active:
        return Disclosure()
    today = timezone.localdate()
    rows = Revision.objects.filter(pk__in=ids).with_reason(reader, today, today).values_list("pk", "reason")
    opened = frozenset(
        str(pk) for pk in readable_revisions(reader, today).filter(pk__in=ids).values_list("pk", flat=True)
    )
    granted = frozenset(str(pk) for pk, reason in rows if reason != Reason.NO_PERMISSION)
    return Disclosure(quotable=granted | opened, open=opened)


def texts(passages: Iterable[Mapping[str, object]], opened: Iterable[str]) -> list[str | None]:
    """The text of each passage as it was sent, by its place in its revision; None where it isn't `opened` (ids)."""
    allowed, listed = frozenset(opened), list(passages)
    wanted = {int(str(p["revision_id"])) for p in listed if p["revision_id"] in allowed}
    rows = dict(Revision.objects.filter(pk__in=wanted).values_list("pk", "text"))
    return [
        rows[int(str(p["revision_id"]))][int(str(p["start"])) : int(str(p["end"]))]
        if p["revision_id"] in allowed and int(str(p["revision_id"])) in rows
        else None
        for p in listed
    ]
