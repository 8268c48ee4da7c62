"""How long the list of what one reader may read takes at company size, and by which plan."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from statistics import median

from django.contrib.auth.models import Group, Permission, User
from django.db import connection, transaction
from django.db.backends.postgresql.psycopg_any import DateRange

from documents import corpus
from documents.access import keep_audiences
from documents.models import READ, Area, Audience, Document, DocumentGroupGrant, DocumentUserGrant, Revision, Unit
from documents.querysets import DocumentQuerySet
from documents.reader import reader_of
from documents.rules.audience import AREA_PREFIX, UNIT_PREFIX, WIDE, slugs
from documents.rules.types import Classification, Facts, State, Window

DOCUMENTS, GRANTS = 10_000, 50_000
PEOPLE, NAMED_GROUPS, AREAS, UNITS, PROFILES = 2_000, 200, 20, 40, 400
ON = date(2026, 11, 30)
BATCH = 5_000


@dataclass(frozen=True, slots=True)
class ReadersBench:
    """Milliseconds, medians. `readable` is how many documents the measured reader may read.

    `list_ms` is the whole list of documents, `eligible_ms` that of revisions on a day, `keys_ms` the audience keys
    that a search filters on, `reader_ms` the person's own keys. `plan` is EXPLAIN (ANALYZE) of the list.
    """

    documents: int
    grants: int
    readable: int
    audience_keys: int
    list_ms: float
    eligible_ms: float
    keys_ms: float
    reader_ms: float
    plan: str


class _RolledBack(Exception):
    """Takes the data of the measurement away."""


def measure(runs: int = 20, documents: int = DOCUMENTS, grants: int = GRANTS) -> ReadersBench:
    """Build a company in a transaction, measure in it, roll it back. Needs a migrated database; keeps no row.

    `grants // documents` readers are given to each document: one person, one area, one unit, the rest named groups.
    """
    found: list[ReadersBench] = []
    try:
        with transaction.atomic():
            user = _build(documents, grants)
            _analyse()
            found.append(_measured(user, runs, documents, grants))
            raise _RolledBack
    except _RolledBack:
        _analyse()
    return found[0]


def _measured(user: User, runs: int, documents: int, grants: int) -> ReadersBench:
    reader = reader_of(user)
    readable: DocumentQuerySet = Document.objects.readable_by(reader)
    eligible = Revision.objects.eligible_for(reader, ON, ON).order_by().values_list("pk", flat=True)
    return ReadersBench(
        documents=documents,
        grants=grants,
        readable=readable.count(),
        audience_keys=len(corpus.audiences(reader)),
        list_ms=_median(lambda: list(readable.all()), runs),
        eligible_ms=_median(lambda: list(eligible.all()), runs),
        keys_ms=_median(lambda: corpus.audiences(reader), runs),
        reader_ms=_median(lambda: reader_of(user), runs),
        plan=readable.explain(analyze=True),
    )


def _median(run: Callable[[], object], runs: int) -> float:
    run()
    times = []
    for _number in range(runs):
        begun = time.perf_counter()
        run()
        times.append((time.perf_counter() - begun) * 1000)
    return round(median(times), 2)


def _analyse() -> None:
    with connection.cursor() as cursor:
        for model in (
            Audience,
            Document,
            Revision,
            DocumentUserGrant,
            DocumentGroupGrant,
            Group,
            User,
            User.groups.through,
        ):
            cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")


@dataclass(frozen=True, slots=True)
class _Profile:
    """A set of readers that many documents share, with the person who owns them."""

    owner: User
    people: tuple[User, ...]
    groups: tuple[Group, ...]
    scope_units: tuple[str, ...]
    classification: Classification


def _build(documents: int, grants: int) -> User:
    """The company; returns an ordinary member of it."""
    rng = random.Random(7)
    named, areas, units = _groups()
    people = User.objects.bulk_create(
        [User(username=f"bench-{n}", password="!") for n in range(PEOPLE)], batch_size=BATCH
    )
    member = User.groups.through
    member.objects.bulk_create(
        [
            member(user_id=person.pk, group_id=group.pk)
            for person in people
            for group in [*rng.sample(named, 6), rng.choice(areas).group, rng.choice(units).group]
        ],
        batch_size=BATCH,
    )
    profiles = [_profile(rng, people, named, areas, units, size=grants // documents) for _number in range(PROFILES)]
    chosen = [rng.choice(profiles) for _number in range(documents)]
    audiences = {profile: Audience.of(_facts(profile)) for profile in profiles}
    keep_audiences(audiences.values())
    rows = Document.objects.bulk_create(
        [
            Document(
                code=f"bench-{number}",
                title=f"Bench {number}",
                kind="policy",
                area=areas[number % AREAS],
                owner=profile.owner,
                classification=profile.classification,
                scope_units=list(profile.scope_units),
                audience_key=audiences[profile].key,
            )
            for number, profile in enumerate(chosen)
        ],
        batch_size=BATCH,
    )
    _grant(rows, chosen)
    _publish(rows, people[0])
    return people[1]


def _groups() -> tuple[list[Group], list[Area], list[Unit]]:
    named = Group.objects.bulk_create([Group(name=f"bench-{n}") for n in range(NAMED_GROUPS)])
    areas = [Area.objects.create(slug=f"bench-area-{n}", name=f"Area {n}") for n in range(AREAS)]
    units = [Unit.objects.create(slug=f"bench-unit-{n}", name=f"Unit {n}", jurisdiction="BR-SP") for n in range(UNITS)]
    return named, areas, units


def _profile(
    rng: random.Random, people: list[User], named: list[Group], areas: list[Area], units: list[Unit], *, size: int
) -> _Profile:
    places = [rng.choice(areas).group, rng.choice(units).group]
    return _Profile(
        owner=rng.choice(people),
        people=tuple(rng.sample(people, 1)),
        groups=(*rng.sample(named, size - 3), *places),
        scope_units=() if rng.random() < 0.8 else (rng.choice(units).slug,),
        classification=Classification.RESTRICTED if rng.random() < 0.1 else Classification.INTERNAL,
    )


def _facts(profile: _Profile) -> Facts:
    names = [group.name for group in profile.groups]
    return Facts(
        state=State.PUBLISHED,
        validity=Window(None, None),
        owner_id=profile.owner.pk,
        classification=profile.classification,
        user_grants=frozenset(person.pk for person in profile.people),
        group_grants=frozenset(name for name in names if not name.startswith(WIDE)),
        area_grants=slugs(names, AREA_PREFIX),
        unit_grants=slugs(names, UNIT_PREFIX),
        scope_units=frozenset(profile.scope_units),
    )


def _grant(rows: list[Document], chosen: list[_Profile]) -> None:
    permission = Permission.objects.get(content_type__app_label="documents", codename=READ)
    DocumentUserGrant.objects.bulk_create(
        [
            DocumentUserGrant(permission=permission, user=person, content_object=row)
            for row, profile in zip(rows, chosen, strict=True)
            for person in profile.people
        ],
        batch_size=BATCH,
    )
    DocumentGroupGrant.objects.bulk_create(
        [
            DocumentGroupGrant(permission=permission, group=group, content_object=row)
            for row, profile in zip(rows, chosen, strict=True)
            for group in profile.groups
        ],
        batch_size=BATCH,
    )


def _publish(rows: list[Document], approver: User) -> None:
    Revision.objects.bulk_create(
        [
            Revision(
                document=row,
                label="v1",
                state="published",
                validity=DateRange(date(2026, 1, 1), None, "[)"),
                content_hash="0",
                text_hash="0",
                text="-",
                approved_by=approver,
                approved_hash="0",
            )
            for row in rows
        ],
        batch_size=BATCH,
    )
