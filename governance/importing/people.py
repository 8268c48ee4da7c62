"""People, areas, units and the words of the company: what documents refer to, made when absent."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.db import models, transaction

from documents.models import EVERYONE, ROLE_PREFIX, Area, Channel, GlossaryEntry, Unit
from documents.rules.types import Role
from governance.importing.manifest import Manifest
from governance.importing.moves import People
from governance.importing.names import IMPORTER, groups_of


@transaction.atomic
def write(manifest: Manifest, password: str | None) -> None:
    """Make what is absent and bring names and memberships up to the manifest; nobody loses a membership by it.

    `password` is given to people that are made; without one they can't sign in with a password.
    """
    for area in manifest.areas:
        _bring_up(Area.objects.filter(slug=area.slug), slug=area.slug, name=area.name)
    for unit in manifest.units:
        units = Unit.objects.filter(slug=unit.slug)
        _bring_up(units, slug=unit.slug, name=unit.name, jurisdiction=unit.jurisdiction)
    _people(manifest, password)
    users = get_user_model()._default_manager.in_bulk({t.owner for t in manifest.glossary}, field_name="username")
    areas = Area.objects.in_bulk(field_name="slug")
    for term in manifest.glossary:
        of_area = areas.get(term.area)
        rows = GlossaryEntry.objects.filter(term__iexact=term.term, area=of_area)
        expansions, owner = list(term.expansions), users[term.owner]
        _bring_up(rows, term=term.term, area=of_area, expansions=expansions, owner=owner, reason=term.reason)
    for channel in manifest.channels:
        of_area = areas.get(channel.area)
        _bring_up(Channel.objects.filter(area=of_area), area=of_area, label=channel.label, url=channel.url)


def named(manifest: Manifest, actor: AbstractBaseUser | None = None) -> People:
    """The people of a manifest that has been written; with `actor` nobody but that person does anything."""
    names = {name for d in manifest.documents for r in d.revisions for name in (r.approver, r.author)}
    names |= {d.owner for d in manifest.documents} | {rule.owner for rule in manifest.precedence}
    approving = {person.username for person in manifest.people if Role.APPROVER in person.roles}
    users = get_user_model()._default_manager.in_bulk((names | approving) - {""}, field_name="username")
    if actor is not None:
        return People(users, (), actor, alone=True)
    return People(users, [users[name] for name in sorted(approving)], _importer())


def _importer() -> AbstractBaseUser:
    """The named actor of what a manifest asks for without naming a person; nobody can sign in as it."""
    users = get_user_model()._default_manager
    user, created = users.get_or_create(
        username=IMPORTER, defaults={"first_name": "Importação", "password": make_password(None)}
    )
    if created:
        user.groups.add(Group.objects.get_or_create(name=f"{ROLE_PREFIX}{Role.INDEXER}")[0])
    return user


def _people(manifest: Manifest, password: str | None) -> None:
    users = get_user_model()._default_manager
    wanted = {person.username: person for person in manifest.people}
    existing = set(users.filter(username__in=wanted).values_list("username", flat=True))
    hashed = make_password(password)
    made = []
    for person in manifest.people:
        if person.username not in existing:
            first, _space, last = person.name.partition(" ")
            made.append(users.model(username=person.username, first_name=first, last_name=last, password=hashed))
    users.bulk_create(made)
    working = {d.owner for d in manifest.documents} | {p.username for p in manifest.people if p.roles}
    users.filter(username__in=working & wanted.keys(), is_staff=False).update(is_staff=True)
    _memberships({person.username: groups_of(person) for person in manifest.people})


def _memberships(wanted: dict[str, frozenset[str]]) -> None:
    """Put everybody into their groups, in a handful of queries."""
    names = {EVERYONE}.union(*wanted.values())
    known = set(Group.objects.filter(name__in=names).values_list("name", flat=True))
    Group.objects.bulk_create(Group(name=name) for name in sorted(names - known))
    groups = dict(Group.objects.filter(name__in=names).values_list("name", "pk"))
    users = get_user_model()._default_manager.filter(username__in=wanted)
    ids = dict(users.values_list("username", "pk"))
    joined = set(users.exclude(groups=None).values_list("pk", "groups"))
    pairs = {(ids[username], groups[name]) for username, own in wanted.items() for name in own} - joined
    through = get_user_model().groups.through
    through._default_manager.bulk_create([through(user_id=user, group_id=group) for user, group in sorted(pairs)])


def _bring_up(rows: models.QuerySet[Any], **values: object) -> None:
    """Make the row when there is none, and write it when something of it differs."""
    row = rows.first() or rows.model()
    changed = [name for name, value in values.items() if getattr(row, name, None) != value]
    if row.pk is not None and not changed:
        return
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
