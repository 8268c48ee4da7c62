"""What waits for a person, as piles: each with how many there are and the first of them. The person's own only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from django.db.models import Case, CharField, Count, F, OuterRef, QuerySet, Subquery, Value, When, Window
from django.db.models.functions import Concat, RowNumber
from django.utils.timezone import localdate

from documents.models import Job, Revision
from documents.querysets import RevisionQuerySet
from documents.rules.types import Reader, Role, State
from governance.ending import SOON, ending
from governance.models import AuditEvent, CorpusImport, OwnerTask, Verb
from governance.permissions import approvable_revisions, managed_revisions, own_tasks, worked_revisions

SHOWN = 5
LIGHT = ("text", "pages", "warnings")


class Kind(StrEnum):
    """The piles, in the order in which they are shown."""

    APPROVE = "approve"
    PUBLISH = "publish"
    REVIEW = "review"
    RETURNED = "returned"
    EXPIRING = "expiring"
    CONFLICT = "conflict"
    QUESTION = "question"
    FEEDBACK = "feedback"
    IMPORT = "import"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to do. `pk` is the id of a revision, a task, an import or a job, by the kind of the pile."""

    pk: int
    title: str
    detail: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    kind: Kind
    count: int
    lines: tuple[Line, ...]


def worklist(person: Reader, today: date) -> tuple[Pile, ...]:
    """The piles that hold something, in five queries however much there is."""
    piles = [
        *_ahead(person),
        _pile(Kind.EXPIRING, _counted(expiring(person, today))),
        *_tasks(person),
        _imports(person),
        _index(person),
    ]
    order = list(Kind)
    return tuple(sorted((pile for pile in piles if pile.count), key=lambda pile: order.index(pile.kind)))


def expiring(person: Reader, today: date) -> RevisionQuerySet:
    """The person's texts that leave force soon with none to follow them on that day, the next to end first."""
    return ending(managed_revisions(person), today, SOON).filter(followed=False)


def last_verb() -> Subquery:
    """What happened last to a revision, by the trail."""
    target = Concat(OuterRef("document__code"), Value("@"), OuterRef("label"), output_field=CharField())
    return Subquery(AuditEvent.objects.filter(target=target).order_by("-position").values("verb")[:1])


def _counted(rows: QuerySet[Any]) -> Iterable[Revision]:
    light = rows.select_related("document", "author").defer(*LIGHT)
    return light.annotate(of_all=Window(Count("pk")))[:SHOWN]


def _pile(kind: Kind, rows: Iterable[Any]) -> Pile:
    listed = list(rows)
    return Pile(kind, listed[0].of_all if listed else 0, tuple(_revision(kind, row) for row in listed))


def _revision(kind: Kind, row: Revision) -> Line:
    window = row.in_force if kind is Kind.EXPIRING else row.validity
    day = (window.upper if kind is Kind.EXPIRING else window.lower) if window else None
    author = row.author.get_full_name() or row.author.get_username() if row.author else ""
    return Line(row.pk, str(row), f"{row.document.title}" + (f" · {author}" if author else ""), day)


def _ahead(person: Reader) -> list[Pile]:
    """What is on its way to be published, by the step that is next: one query for four piles.

    A draft whose last event sent it back is one to correct.
    """
    rows = approvable_revisions(person) | managed_revisions(person).filter(state=State.APPROVED)
    rows = (rows | worked_revisions(person).filter(state=State.DRAFT)).annotate(last=last_verb())
    back = When(state=State.DRAFT, last=Verb.REVISION_REJECTED, then=Value(str(Kind.RETURNED)))
    steps = {State.IN_REVIEW: Kind.APPROVE, State.APPROVED: Kind.PUBLISH, State.DRAFT: Kind.REVIEW}
    others = [When(state=state, then=Value(str(kind))) for state, kind in steps.items()]
    rows = rows.annotate(pile=Case(back, *others, output_field=CharField()))
    rows = rows.annotate(
        of_all=Window(Count("pk"), partition_by=[F("pile")]),
        place=Window(RowNumber(), partition_by=[F("pile")], order_by="pk"),
    ).filter(place__lte=SHOWN)
    listed = list(rows.select_related("document", "author").defer(*LIGHT).order_by("pk"))
    return [_pile(kind, [row for row in listed if row.pile == kind]) for kind in (*steps.values(), Kind.RETURNED)]


def _tasks(person: Reader) -> list[Pile]:
    rows = own_tasks(person).filter(state=OwnerTask.State.OPEN)
    rows = rows.annotate(
        of_all=Window(Count("pk"), partition_by=[F("kind")]),
        place=Window(RowNumber(), partition_by=[F("kind")], order_by="pk"),
    ).filter(place__lte=SHOWN)
    kinds = {
        OwnerTask.Kind.CONFLICT: Kind.CONFLICT,
        OwnerTask.Kind.QUESTION: Kind.QUESTION,
        OwnerTask.Kind.FEEDBACK: Kind.FEEDBACK,
    }
    listed = list(rows.select_related("document", "other").order_by("pk"))
    piles = []
    for held, kind in kinds.items():
        own = [task for task in listed if task.kind == held]
        lines = tuple(Line(task.pk, _about(task), _in_one_line(task.note), localdate(task.created_at)) for task in own)
        piles.append(Pile(kind, own[0].of_all if own else 0, lines))
    return piles


def _in_one_line(note: str) -> str:
    return " · ".join(line.strip() for line in note.splitlines() if line.strip())[:160]


def _about(task: OwnerTask) -> str:
    codes = [document.code for document in (task.document, task.other) if document is not None]
    return " × ".join(codes) or str(task)


def _imports(person: Reader) -> Pile:
    """Folders that the person sent and that ask for a decision: refused, with failures, or checked and not begun."""
    states = [CorpusImport.State.REFUSED, CorpusImport.State.BROKEN, CorpusImport.State.PLANNED]
    rows = CorpusImport.objects.filter(person_id=person.user_id, state__in=states, settled_at=None)
    listed = list(rows.annotate(of_all=Window(Count("pk"))).order_by("-pk")[:SHOWN])
    lines = tuple(Line(row.pk, row.name, row.get_state_display(), localdate(row.created_at)) for row in listed)
    return Pile(Kind.IMPORT, listed[0].of_all if listed else 0, lines)


def _index(person: Reader) -> Pile:
    """Changes of the person's texts that the index does not hold yet; for the indexing team, of all texts."""
    jobs = Job.objects.filter(kind="converge").exclude(state__in=[Job.State.DONE, Job.State.DISCARDED])
    if Role.INDEXER not in person.roles:
        jobs = jobs.filter(argument__in=managed_revisions(person).order_by().values("pk"))
    name = Revision.objects.filter(pk=OuterRef("argument")).values(
        name=Concat("document__code", Value("@"), "label", output_field=CharField())
    )
    listed = list(
        jobs.annotate(of_all=Window(Count("pk")), of=Subquery(name, output_field=CharField())).order_by("pk")[:SHOWN]
    )
    lines = tuple(
        Line(job.argument or 0, job.of or str(job), job.get_state_display(), localdate(job.created_at))
        for job in listed
    )
    return Pile(Kind.INDEX, listed[0].of_all if listed else 0, lines)
