"""What one could ask: headings of texts in force that this person may be quoted, never a list of our own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Length, Lower
from django.utils import timezone
from django.utils.translation import gettext as _

from documents.models import Revision, Section
from documents.rules.types import Reader

SHOWN = 4
LONGEST_HEADING = 80
SHORTEST_SECTION = 120
"""Characters of a section that says enough to be asked about."""
# "Art. 5º – …", "5.2 …", "IV - …": a numeral is one by its word, its dots or what stands after it.
_NUMBER = re.compile(
    r"\s*(?:(?i:art(?:igo)?|cl[áa]usula|anexo|cap[íi]tulo|se[çc][ãa]o)\.?\s+(?:\d+[ºª°]?|[IVXLC]+|[A-Z])\b\s*[-–—.:)]*"
    r"|\d+(?:\.\d+)*(?:\s*[-–—.:)]+|\s)|[IVXLC]+\s*[-–—.:)]+)\s*"
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`question` is what goes into the box; `heading` and `title` say where it comes from."""

    question: str
    heading: str
    title: str


def suggestions(reader: Reader, code: str = "") -> list[Suggestion]:
    """A few from official texts, others each day: of the person's own areas first, the newest before the older.

    With `code` they come from that document alone, and there are none where the person may not be quoted it.
    """
    today = timezone.localdate()
    quotable = Revision.objects.in_force(today).eligible_for(reader, today, today)
    if code:
        revisions = list(_light(quotable.filter(document__code=code.replace("\0", "")))[:1])
        return _asked(revisions, today, each=SHOWN)
    mine = ExpressionWrapper(Q(document__area__slug__in=sorted(reader.areas)), output_field=BooleanField())
    official = quotable.filter(document__authority="official")
    order = official.annotate(mine=mine).order_by("-mine", Lower("in_force").desc(), "pk")
    return _asked(list(_light(order)[: 3 * SHOWN]), today, each=1)[:SHOWN]


def _light(revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    return revisions.select_related("document").only("pk", "document__title")


def _asked(revisions: Sequence[Revision], today: date, *, each: int) -> list[Suggestion]:
    rows = (
        Section.objects.filter(
            revision__in=[revision.pk for revision in revisions], end__gte=F("body_start") + SHORTEST_SECTION
        )
        .annotate(length=Length("heading"))
        .filter(length__gt=0, length__lte=LONGEST_HEADING)
        .order_by("revision", "ordinal")
        .values_list("revision_id", "heading")
    )
    titles = {revision.pk: revision.document.title.casefold() for revision in revisions}
    headings: dict[int, list[str]] = {}
    for revision_id, heading in rows:
        name = _unnumbered(" ".join(heading.split()))
        if name and name.casefold() != titles[revision_id]:
            headings.setdefault(revision_id, []).append(name)
    found = []
    for revision in revisions:
        held = headings.get(revision.pk, [])
        turned = today.toordinal() % len(held) if held else 0
        title = revision.document.title
        found += [Suggestion(_question(name, title), name, title) for name in (held[turned:] + held[:turned])[:each]]
    return found


def _unnumbered(heading: str) -> str:
    numeral = _NUMBER.match(heading)
    return heading[numeral.end() :] if numeral else heading


def _question(heading: str, title: str) -> str:
    if heading.endswith("?"):
        return heading
    inside = heading[:1].lower() + heading[1:] if heading[1:2].islower() else heading  # an acronym keeps its capitals
    return _("What does “%(title)s” say about %(heading)s?") % {"title": title, "heading": inside}
