"""What surrounds one revision, read from the tables for the page on which people decide about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import OuterRef, Q, Subquery

from documents.models import ROLE_PREFIX, Document, ReaderIdentity, Revision, Unit
from documents.querysets import DocumentQuerySet
from documents.rules.difference import Edition
from documents.rules.lifecycle import AHEAD
from documents.rules.types import Classification, Role, Window
from governance.actions._transition import others_of, window_of
from governance.actions.access import readers_of
from governance.audit import revision_target
from governance.models import AuditEvent, PrecedenceRule
from governance.rules.checks import Case
from governance.rules.precedence import PrecedenceFact
from governance.rules.succession import Held, Succession, succeed

MOST_EVENTS = 100
KEYS = frozenset({"owner", "approved_by", "approved_hash", "content_hash", "archive"})
"""Fields of the trail that stand for a person or a file, and say nothing to a reader of it."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of the trail; `who` is empty where the person was forgotten.

    `changes` are the fields that it changed, each with what it said before and after; keys of people are left out.
    """

    at: datetime
    who: str
    what: str
    reason: str
    changes: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a publication on `start` does besides: the window that it closes, and the rules that it puts to work."""

    succession: Succession
    rules: tuple[PrecedenceRule, ...]


def case_of(revision: Revision, start: date | None, known: Sequence[Document]) -> Case:
    """The revision as `governance.rules.checks` looks at it. `known` are the rivals that the person may know of."""
    document = revision.document
    units = set(Unit.objects.filter(slug__in=document.scope_units).values_list("slug", flat=True))
    planned = Revision.objects.filter(document=document, state__in=AHEAD, validity__isnull=False)
    planned = planned.exclude(pk=revision.pk)
    window = window_of(revision.validity)
    return Case(
        owner=document.owner is not None,
        owner_active=document.owner is not None and bool(document.owner.is_active),
        approvers=_approvers(document, revision.author_id),
        readers=tuple(readers_of(document)),
        classification=Classification(document.classification),
        unknown_units=tuple(sorted(set(document.scope_units) - units)),
        has_text=bool(revision.text.strip()),
        warnings=len(revision.warnings),
        window=Window(start or window.start, window.until),
        published=tuple(others_of(revision)),
        planned=tuple(
            Held(pk, label, window_of(validity))
            for pk, label, validity in planned.values_list("pk", "label", "validity")
        ),
        rivals=tuple(rival.code for rival in known),
        ahead=revision.state in AHEAD,
    )


def rivals_of(document: Document, on: date) -> list[Document]:
    """Documents in force of the same authority, subject and scope, where no rule says which of the two prevails."""
    if not document.subjects:
        return []
    current = Revision.objects.in_force(on).order_by().values("document_id")
    rows = Document.objects.filter(
        authority=document.authority, subjects__overlap=document.subjects, pk__in=current
    ).exclude(pk=document.pk)
    for name in ("scope_units", "scope_jurisdictions", "scope_products"):
        own = getattr(document, name)
        if own:
            rows = rows.filter(Q(**{name: []}) | Q(**{f"{name}__overlap": own}))
    found = list(rows.order_by("code")[:50])
    if not found:
        return []
    ruled = {code for fact in _rules(document, on) for code in (fact.prevails, fact.over)}
    return [rival for rival in found if rival.code not in ruled]


def history(revision: Revision) -> list[Happened]:
    """Everything that the trail tells of the revision, the newest first."""
    return happened(revision_target(revision))


def happened(target: str) -> list[Happened]:
    """The events of one target, the newest first."""
    names = ReaderIdentity.objects.filter(key=OuterRef("actor"))
    events = AuditEvent.objects.filter(target=target).annotate(
        username=Subquery(names.values("user__username")[:1]),
        first=Subquery(names.values("user__first_name")[:1]),
        last=Subquery(names.values("user__last_name")[:1]),
    )
    return [
        Happened(
            event.at,
            f"{event.first or ''} {event.last or ''}".strip() or event.username or "",
            event.get_verb_display(),
            event.reason,
            tuple(_changes(event.before, event.after)),
        )
        for event in events.order_by("-position")[:MOST_EVENTS]
    ]


def succession_of(revision: Revision, start: date) -> Succession:
    """What a publication on `start` does to the document's other texts."""
    return succeed(start, window_of(revision.validity).until, others_of(revision))


def consequences(revision: Revision, start: date, known: DocumentQuerySet) -> Consequences:
    """`known` are the documents that the person may know of: a rule names both of its ends."""
    rules = PrecedenceRule.objects.in_force(start).filter(
        Q(prevails=revision.document_id) | Q(over=revision.document_id)
    )
    ids = known.order_by().values("pk")
    named = rules.filter(prevails__in=ids, over__in=ids).select_related("prevails", "over").order_by("pk")
    return Consequences(succession_of(revision, start), tuple(named))


def edition(revision: Revision) -> Edition:
    """The text with its sections, as the rule compares it with another."""
    return Edition(revision.text, tuple(section.span for section in revision.sections.all()))


def in_force_now(document: Document, on: date) -> Revision | None:
    """The text that counts on the day, with its text."""
    found: Revision | None = Revision.objects.filter(document=document).in_force(on).first()
    return found


def _changes(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name in (*before, *(name for name in after if name not in before)):
        if name not in KEYS and before.get(name) != after.get(name):
            yield name, _said(before.get(name)), _said(after.get(name))


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)


def _rules(document: Document, on: date) -> tuple[PrecedenceFact, ...]:
    rules = PrecedenceRule.objects.in_force(on).filter(Q(prevails=document) | Q(over=document))
    return rules.facts()


def _approvers(document: Document, author_id: int | None) -> int:
    people = get_user_model()._default_manager.filter(is_active=True, groups__name=f"{ROLE_PREFIX}{Role.APPROVER}")
    people = people.filter(groups=document.area.group_id)
    if author_id is not None:
        people = people.exclude(pk=author_id)
    return people.distinct().count()
