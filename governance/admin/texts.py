"""One revision as the pages of the admin get it and show its text."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest

from documents.admin import person_of
from documents.models import Revision
from documents.rules.difference import Edition
from governance.admin_actions import signed_in
from governance.permissions import known_revisions


@dataclass(frozen=True, slots=True)
class Section:
    anchor: str
    level: int
    heading: str
    body: str


def known_revision(request: HttpRequest, revision_id: int, *, whole: bool = False) -> Revision:
    """One that the person may know of, with its text only where it is `whole`; hidden and missing look the same."""
    rows = known_revisions(signed_in(request), person_of(request)).select_related(
        "document__area", "document__owner", "author", "approved_by"
    )
    revision: Revision | None = (rows if whole else rows.defer("text", "pages")).filter(pk=revision_id).first()
    if revision is None:
        raise Http404
    return revision


def sections_of(held: Edition) -> list[Section]:
    text = held.text
    return [
        Section(
            span.anchor,
            min(max(span.level + 2, 3), 6),
            text[span.start : span.body_start].strip(),
            text[span.body_start : span.end].strip("\n"),
        )
        for span in held.sections
    ]
