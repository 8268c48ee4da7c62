"""Who reads a document and why, and who does not: by the rule that answers are decided by, for everybody at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import Count, Q, QuerySet

from documents.access import facts_of
from documents.models import AREA_PREFIX, EVERYONE, ROLE_PREFIX, UNIT_PREFIX, Document
from documents.reader import readers_of
from documents.rules.audience import WIDE
from documents.rules.eligibility import decide
from documents.rules.types import Classification, Facts, Reader, Reason, State, Window
from governance.actions import access

PERSONAL = frozenset({Reason.NO_PERMISSION, Reason.OUT_OF_SCOPE, Reason.OTHER_JURISDICTION})
SUGGESTED = 20


class Way(StrEnum):
    """How a person comes to read a document."""

    OWNER = "owner"
    DIRECT = "direct"
    GROUP = "group"
    AREA = "area"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class Through:
    way: Way
    name: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """`reason` is why the person does not read it; `ELIGIBLE` when they do, and then `ways` says how."""

    username: str
    name: str
    reason: Reason
    ways: tuple[Through, ...]

    @property
    def reads(self) -> bool:
        return self.reason is Reason.ELIGIBLE


@dataclass(frozen=True, slots=True)
class Granted:
    """One grant as it stands; `people` counts the active ones in it, and `ignored` says that it opens nothing.

    `person` is the name of somebody who was granted it by username.
    """

    reader: str
    way: Way
    name: str
    people: int
    ignored: bool
    person: str = ""

    def holds(self, words: str) -> bool:
        """Whether its names hold every word."""
        names = f"{self.reader} {self.person}".casefold()
        return all(word in names for word in words.casefold().split())


def grants(document: Document) -> list[Granted]:
    """Groups first, then areas, units and people."""
    readers = access.readers_of(document)
    names = {reader: reader.removeprefix(access.NAMED_PREFIX) for reader in readers}
    users = Count("user", filter=Q(user__is_active=True))
    counts = dict(Group.objects.filter(name__in=names.values()).annotate(n=users).values_list("name", "n"))
    everybody = get_user_model()._default_manager
    if EVERYONE in names.values():
        counts[EVERYONE] = everybody.filter(is_active=True).count()
    by_name = [reader.removeprefix(access.PERSON_PREFIX) for reader in readers if _way(reader)[0] is Way.DIRECT]
    people = {user.get_username(): user for user in everybody.filter(username__in=by_name)}
    restricted = document.classification == Classification.RESTRICTED
    found = []
    for reader in readers:
        way, name = _way(reader)
        person = people[name] if way is Way.DIRECT else None
        number = int(person.is_active) if person is not None else counts.get(names[reader], 0)
        called = person.get_full_name() if person is not None else ""
        found.append(Granted(reader, way, name, number, restricted and reader.startswith(WIDE), called))
    return sorted(found, key=lambda one: (list(Way).index(one.way) if one.way is not Way.DIRECT else 9, one.name))


def people(document: Document, words: str, today: date) -> list[Person]:
    """Active people by name: those who read it; with `words`, everybody whose name or username holds them."""
    users = _named(words)
    facts = replace(facts_of(document), state=State.PUBLISHED, validity=Window(None, None))
    readers = readers_of(users)
    rows = users.order_by("first_name", "last_name", "username").values_list(
        "pk", "username", "first_name", "last_name"
    )
    found = []
    for pk, username, first, last in rows:
        reason = decide(readers[pk], facts, today, today).reason
        if reason not in PERSONAL:
            reason = Reason.ELIGIBLE  # a missing owner closes the text to everybody: told once, not of each
        if reason is Reason.ELIGIBLE or words:
            ways = tuple(_ways(readers[pk], facts)) if reason is Reason.ELIGIBLE else ()
            found.append(Person(username, f"{first} {last}".strip() or username, reason, ways))
    return found


def suggestions(words: str) -> list[tuple[str, str]]:
    """Readers that could be granted, as (reader, what it is): groups, areas and units first, then people."""
    words = words.strip().removeprefix(access.NAMED_PREFIX).removeprefix(access.PERSON_PREFIX)
    named = Group.objects.filter(name__icontains=words).exclude(name__startswith=ROLE_PREFIX).order_by("name")
    counted = named.annotate(n=Count("user", filter=Q(user__is_active=True)))[:SUGGESTED]
    found = [(access.reader_named(name), str(n)) for name, n in counted.values_list("name", "n")]
    found += [(f"{access.PERSON_PREFIX}{username}", name) for username, name in people_named(words)]
    return found[: 2 * SUGGESTED]


def readers_called(name: str) -> list[str]:
    """Every reader that could be meant by a name without what it is: groups first, then areas, units and people."""
    groups = Q(name__iexact=name) | Q(name__iexact=f"{AREA_PREFIX}{name}") | Q(name__iexact=f"{UNIT_PREFIX}{name}")
    named = Group.objects.filter(groups).exclude(name__startswith=ROLE_PREFIX).values_list("name", flat=True)
    found = sorted((access.reader_named(group) for group in named), key=lambda reader: list(Way).index(_way(reader)[0]))
    meant = name.casefold()
    for user in _named(name).order_by("username"):  # all of them: one that is left out would make a name seem clear
        if meant in (user.get_username().casefold(), user.get_full_name().casefold()):
            found.append(f"{access.PERSON_PREFIX}{user.get_username()}")
    return found


def people_named(words: str) -> list[tuple[str, str]]:
    """Active people as (username, name), those whose name or username holds every word."""
    return [(user.get_username(), user.get_full_name()) for user in _named(words).order_by("username")[:SUGGESTED]]


def _named(words: str) -> QuerySet[Any]:
    users = get_user_model()._default_manager.filter(is_active=True)
    for word in words.split():
        users = users.filter(Q(username__icontains=word) | Q(first_name__icontains=word) | Q(last_name__icontains=word))
    return users


def _ways(reader: Reader, facts: Facts) -> Iterator[Through]:
    if facts.owner_id == reader.user_id:
        yield Through(Way.OWNER)
    if reader.user_id in facts.user_grants:
        yield Through(Way.DIRECT)
    for name in sorted(facts.group_grants & reader.named_groups):
        yield Through(Way.GROUP, name)
    if facts.classification is Classification.RESTRICTED:
        return
    for name in sorted(facts.area_grants & reader.areas):
        yield Through(Way.AREA, name)
    for name in sorted(facts.unit_grants & reader.units):
        yield Through(Way.UNIT, name)


def _way(reader: str) -> tuple[Way, str]:
    for prefix, way in (
        (access.PERSON_PREFIX, Way.DIRECT),
        (AREA_PREFIX, Way.AREA),
        (UNIT_PREFIX, Way.UNIT),
        (access.NAMED_PREFIX, Way.GROUP),
    ):
        if reader.startswith(prefix):
            return way, reader.removeprefix(prefix)
    return Way.GROUP, reader
