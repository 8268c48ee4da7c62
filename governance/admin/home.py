"""The first page of the admin: what waits for the person, each line one click from the work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from documents.admin import once, person_of
from documents.rules.types import Reader
from governance.admin_actions import signed_in
from governance.permissions import draftable_documents, managed_documents, may_add_documents
from governance.worklist import Kind, Line, Pile, worklist

REVISIONS, TASKS = "admin:documents_revision_changelist", "admin:governance_ownertask_changelist"

TITLES: dict[Kind, Promise] = {
    Kind.APPROVE: gettext_lazy("To approve"),
    Kind.PUBLISH: gettext_lazy("Approved, to publish"),
    Kind.REVIEW: gettext_lazy("Drafts to review and submit"),
    Kind.RETURNED: gettext_lazy("Sent back, to correct"),
    Kind.EXPIRING: gettext_lazy("Leaving force within 30 days, with nothing to follow"),
    Kind.CONFLICT: gettext_lazy("Conflicts between sources"),
    Kind.QUESTION: gettext_lazy("Questions without an answer"),
    Kind.FEEDBACK: gettext_lazy("Answers called wrong"),
    Kind.IMPORT: gettext_lazy("Imports that need you"),
    Kind.INDEX: gettext_lazy("Changes that the index does not hold yet"),
}
LISTS: dict[Kind, tuple[str, str]] = {
    Kind.APPROVE: (REVISIONS, "state__exact=in_review"),
    Kind.PUBLISH: (REVISIONS, "state__exact=approved"),
    Kind.REVIEW: (REVISIONS, "state__exact=draft"),
    Kind.RETURNED: (REVISIONS, "state__exact=draft"),
    Kind.EXPIRING: (REVISIONS, "ending=30"),
    Kind.CONFLICT: (TASKS, "state__exact=open&kind__exact=conflict"),
    Kind.QUESTION: (TASKS, "state__exact=open&kind__exact=question"),
    Kind.FEEDBACK: (TASKS, "state__exact=open&kind__exact=feedback"),
    Kind.IMPORT: ("admin:governance_corpusimport_changelist", ""),
    Kind.INDEX: (REVISIONS, ""),
}
PAGES = {
    Kind.CONFLICT: "admin:governance_ownertask_change",
    Kind.QUESTION: "admin:governance_ownertask_change",
    Kind.FEEDBACK: "admin:governance_ownertask_change",
    Kind.IMPORT: "admin:governance_corpusimport_change",
}


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    detail: str
    day: date | None
    url: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A pile as the page shows it; `more` is how many are not listed."""

    key: str
    title: Promise
    count: int
    more: int
    url: str
    entries: tuple[Entry, ...]


def home(request: HttpRequest) -> dict[str, object]:
    """The context of the page: piles, and what the person may begin."""
    signed_in(request)
    person = person_of(request)
    return {
        "piles": [_shown(pile) for pile in worklist(person, timezone.localdate())],
        "may_draft": may_draft(request, person),
        "may_add_documents": may_add_documents(person),
    }


def manages_some(request: HttpRequest, person: Reader) -> bool:
    """Whether the person is in charge of any document; asked once a request."""
    return once(request, "manages_some", managed_documents(person).exists)


def may_draft(request: HttpRequest, person: Reader) -> bool:
    """Whether there is any document that the person may write a draft for; asked once a request."""
    return once(request, "may_draft", lambda: manages_some(request, person) or draftable_documents(person).exists())


def _shown(pile: Pile) -> Shown:
    name, query = LISTS[pile.kind]
    page = PAGES.get(pile.kind, "admin:documents_revision_work")
    return Shown(
        key=str(pile.kind),
        title=TITLES[pile.kind],
        count=pile.count,
        more=pile.count - len(pile.lines),
        url=f"{reverse(name)}?{query}" if query else reverse(name),
        entries=tuple(_entry(page, line) for line in pile.lines),
    )


def _entry(page: str, line: Line) -> Entry:
    return Entry(line.title, line.detail, line.day, reverse(page, args=[line.pk]) if line.pk else "")
