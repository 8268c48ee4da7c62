"""People, areas, units and the words of the company: what documents refer to, made when absent."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import Group

from documents.models import AREA_PREFIX, EVERYONE, ROLE_PREFIX, UNIT_PREFIX, Area, Channel, GlossaryEntry, Unit
from documents.rules.types import Role
from governance.importing.manifest import Manifest, Person

IMPORTER = "importacao"


def importer() -> AbstractBaseUser:
    """The named actor of what a manifest asks for without naming a person; nobody can sign in as it."""
    user, created = get_user_model().objects.get_or_create(username=IMPORTER, defaults={"first_name": "Importação"})
    if created:
        user.set_unusable_password()
        user.save()
        user.groups.add(Group.objects.get_or_create(name=f"{ROLE_PREFIX}{Role.INDEXER}")[0])
    return user


def write(manifest: Manifest, password: str | None) -> None:
    """Make what is absent and bring names and memberships up to the manifest; nobody loses a membership by it."""
    for area in manifest.areas:
        Area.objects.update_or_create(slug=area.slug, defaults={"name": area.name})
    for unit in manifest.units:
        values = {"name": unit.name, "jurisdiction": unit.jurisdiction}
        Unit.objects.update_or_create(slug=unit.slug, defaults=values)
    Group.objects.get_or_create(name=EVERYONE)
    owners = {document.owner for document in manifest.documents}
    for person in manifest.people:
        _person(person, is_staff=bool(person.roles) or person.username in owners, password=password)
    users = get_user_model().objects.in_bulk(field_name="username")
    areas = Area.objects.in_bulk(field_name="slug")
    for term in manifest.glossary:
        _glossary(
            term.term,
            areas.get(term.area),
            {"expansions": list(term.expansions), "owner": users[term.owner], "reason": term.reason},
        )
    for channel in manifest.channels:
        values = {"label": channel.label, "url": channel.url}
        Channel.objects.update_or_create(area=areas.get(channel.area), defaults=values)


def _person(person: Person, *, is_staff: bool, password: str | None) -> None:
    first, _space, last = person.name.partition(" ")
    user, created = get_user_model().objects.get_or_create(
        username=person.username, defaults={"first_name": first, "last_name": last, "is_staff": is_staff}
    )
    if created:
        if password is None:
            user.set_unusable_password()
        else:
            user.set_password(password)
        user.save()
    elif is_staff and not user.is_staff:
        user.is_staff = True
        user.save(update_fields=["is_staff"])
    names = [
        *person.groups,
        *(f"{AREA_PREFIX}{slug}" for slug in person.areas),
        *(f"{UNIT_PREFIX}{slug}" for slug in person.units),
        *(f"{ROLE_PREFIX}{role}" for role in person.roles),
    ]
    user.groups.add(*(Group.objects.get_or_create(name=name)[0] for name in names))


def _glossary(term: str, area: Area | None, values: dict[str, object]) -> None:
    entry = GlossaryEntry.objects.filter(term__iexact=term, area=area).first()
    if entry is None:
        GlossaryEntry.objects.create(term=term, area=area, **values)
    elif any(getattr(entry, name) != value for name, value in values.items()):
        for name, value in values.items():
            setattr(entry, name, value)
        entry.save()
