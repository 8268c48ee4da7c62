"""The matrix of eligibility: every combination of what the rule looks at, as rows and, apart from them, as facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import product

from django.contrib.auth.models import Group, Permission, User
from django.db.backends.postgresql.psycopg_any import DateRange

from documents.access import facts_of, keep_audiences
from documents.models import (
    Audience,
    Chunk,
    Document,
    DocumentGroupGrant,
    DocumentUserGrant,
    IndexEntry,
    IndexVersion,
    Revision,
    Section,
)
from documents.reader import reader_of
from documents.rules.audience import audience_key
from documents.rules.types import Classification, Facts, History, Reader, State, Window
from documents.search.entries import filter_fields, indexable
from tests import factories

VECTOR = [1.0, 0.0]
TODAY = date(2026, 11, 30)
LONG_AGO, PAST, NEAR, SOON, FUTURE = (
    date(2024, 1, 1), date(2025, 1, 1), date(2026, 6, 1), date(2026, 12, 15), date(2027, 6, 1),
)  # fmt: skip
DAYS = (date(2023, 1, 1), date(2024, 6, 1), PAST, date(2026, 3, 1), TODAY, SOON, date(2027, 12, 1))


@dataclass(frozen=True, slots=True)
class Shape:
    """One revision of a timeline."""

    state: State
    start: date | None = None
    until: date | None = None
    retired_on: date | None = None


P, R, A, D, V = State.PUBLISHED, State.RETIRED, State.APPROVED, State.DRAFT, State.IN_REVIEW
# What one document may hold at a time: no two windows of published or retired revisions share a day.
TIMELINES: tuple[tuple[Shape, ...], ...] = (
    (Shape(P, LONG_AGO, PAST), Shape(P, PAST), Shape(D), Shape(V, SOON), Shape(A, FUTURE), Shape(A), Shape(A, PAST)),
    (Shape(P, LONG_AGO, SOON), Shape(P, SOON), Shape(D, PAST, TODAY), Shape(R, FUTURE, None, LONG_AGO)),
    (Shape(P, LONG_AGO, PAST), Shape(R, PAST, NEAR, TODAY), Shape(P, FUTURE)),
    (Shape(R, LONG_AGO, None, PAST), Shape(R, PAST, None, TODAY), Shape(V)),
    (Shape(R, LONG_AGO, None, SOON), Shape(P, SOON, FUTURE)),
    (Shape(P, LONG_AGO, TODAY),),
)
OWNERS = ("reader", "other", None)
GRANTS = (None, "user:reader", "group:team", "area:operacoes", "unit:CD-SP", "group:strangers", "area:rh")
UNITS = ((), ("CD-SP",), ("POA",))
JURISDICTIONS = ((), ("BR",), ("BR-SP",), ("BR-RS",))


@dataclass(frozen=True, slots=True)
class Cell:
    """A revision's id and, written from the combination itself, the facts that the rule should see in it."""

    revision_id: int
    document_id: int
    facts: Facts


@dataclass(frozen=True, slots=True)
class Matrix:
    cells: tuple[Cell, ...]
    readers: tuple[Reader, ...]


def build() -> Matrix:
    """Thousands of documents in a handful of bulk inserts."""
    people = _people()
    plans = list(_plans(people))
    area, approver = factories.area(), people["approver"]
    keep_audiences(Audience.of(facts) for facts, _grant, _timeline in plans)
    documents = Document.objects.bulk_create(
        [
            Document(
                code=f"m-{number}",
                title="m",
                kind="policy",
                area=area,
                owner_id=facts.owner_id,
                classification=facts.classification,
                history=facts.history,
                scope_units=sorted(facts.scope_units),
                scope_jurisdictions=sorted(facts.scope_jurisdictions),
                audience_key=audience_key(facts),
            )
            for number, (facts, _grant, _timeline) in enumerate(plans)
        ],
        batch_size=2000,
    )
    _grant(documents, plans, people)
    revisions = [
        Revision(
            document=document,
            label=f"v{number}",
            state=shape.state,
            validity=DateRange(shape.start, shape.until, "[)") if shape.start else None,
            retired_on=shape.retired_on,
            content_hash="h",
            text="t",
            text_hash="t",
            approved_by=approver if shape.state in (A, P, R) else None,
            approved_hash="h" if shape.state in (A, P, R) else "",
        )
        for document, (_facts, _reader, timeline) in zip(documents, plans, strict=True)
        for number, shape in enumerate(timeline)
    ]
    revisions = Revision.objects.bulk_create(revisions, batch_size=2000)
    facts = [_with_shape(base, shape, timeline) for base, _reader, timeline in plans for shape in timeline]
    cells = tuple(Cell(r.pk, r.document_id, f) for r, f in zip(revisions, facts, strict=True))
    return Matrix(cells, tuple(reader_of(user) for name, user in people.items() if name not in ("other", "approver")))


def stored_facts(cell: Cell) -> Facts:
    """What `facts_of` reads from the rows of a cell."""
    revision = Revision.objects.select_related("document").get(pk=cell.revision_id)
    return facts_of(revision.document, revision, cell.facts.successor_on)


def index(version: IndexVersion) -> None:
    """One passage of each revision into the index, with the filter fields that the search writes for it."""
    rows = list(indexable())
    sections = Section.objects.bulk_create(
        [Section(revision=row, ordinal=0, level=1, anchor="a", start=0, body_start=0, end=1) for row in rows],
        batch_size=2000,
    )
    chunks = Chunk.objects.bulk_create(
        [Chunk(revision=row, section=section, ordinal=0, start=0, end=1, text="t", heading="h")
         for row, section in zip(rows, sections, strict=True)],
        batch_size=2000,
    )  # fmt: skip
    names = ("revision_id", "audience", "valid_from", "valid_until", "standing", "owned", "corpus", "area")
    IndexEntry.objects.bulk_create(
        [
            IndexEntry(version=version, chunk=chunk, vector=VECTOR, **dict(zip(names, filter_fields(row), strict=True)))
            for chunk, row in zip(chunks, rows, strict=True)
        ],
        batch_size=2000,
    )


def _people() -> dict[str, User]:
    factories.unit("POA", "BR-RS")
    for name in ("team", "strangers"):
        factories.group(name)
    factories.area("rh")
    member = {"groups": ["team"], "areas": ["operacoes"], "units": ["CD-SP"]}
    return {
        "reader": factories.person("reader", **member),
        "historian": factories.person("historian", **member, roles=["history"]),
        "gone": factories.person("gone", **member, is_active=False),
        "superuser": factories.person("superuser", is_superuser=True),
        "placeless": factories.person("placeless", groups=["team"]),
        "southern": factories.person("southern", areas=["rh"], units=["POA"], roles=["history"]),
        "other": factories.person("other"),
        "approver": factories.person("approver"),
    }


Plan = tuple[Facts, str | None, tuple[Shape, ...]]


def _plans(people: dict[str, User]) -> Iterator[Plan]:
    combinations = product(OWNERS, GRANTS, UNITS, JURISDICTIONS, Classification, History)
    for number, (owner, grant, units, jurisdictions, classification, history) in enumerate(combinations):
        facts = Facts(
            state=State.DRAFT,
            validity=Window(None, None),
            owner_id=people[owner].pk if owner else None,
            classification=classification,
            scope_units=frozenset(units),
            scope_jurisdictions=frozenset(jurisdictions),
            history=history,
        )
        # Access and time are decided apart: each combination of access meets one timeline, and the step is such that
        # each value of each dimension meets all of them.
        yield _granting(facts, grant, people), grant, TIMELINES[(number // 2 + number // 8) % len(TIMELINES)]


def _granting(facts: Facts, grant: str | None, people: dict[str, User]) -> Facts:
    if grant is None:
        return facts
    kind, name = grant.split(":")
    if kind == "user":
        return replace(facts, user_grants=frozenset({people[name].pk}))
    return replace(facts, **{f"{kind}_grants": frozenset({name})})


def _grant(documents: list[Document], plans: list[Plan], people: dict[str, User]) -> None:
    permission = Permission.objects.get(content_type__app_label="documents", codename="read_document")
    named = {group.name: group for group in Group.objects.all()}
    users, groups = [], []
    for document, (_facts, grant, _timeline) in zip(documents, plans, strict=True):
        if grant == "user:reader":
            users.append(DocumentUserGrant(permission=permission, user=people["reader"], content_object=document))
        elif grant is not None:
            group = named[grant.removeprefix("group:")]
            groups.append(DocumentGroupGrant(permission=permission, group=group, content_object=document))
    DocumentUserGrant.objects.bulk_create(users)
    DocumentGroupGrant.objects.bulk_create(groups)


def _with_shape(facts: Facts, shape: Shape, timeline: tuple[Shape, ...]) -> Facts:
    began = [s.start for s in timeline if s.state in (P, R) and s.start and not _never(s)]
    later = [start for start in began if shape.start is not None and start > shape.start]
    return replace(
        facts,
        state=shape.state,
        validity=Window(shape.start, shape.until),
        retired_on=shape.retired_on,
        successor_on=min(later) if later else None,
    )


def _never(shape: Shape) -> bool:
    return shape.retired_on is not None and shape.start is not None and shape.retired_on <= shape.start
