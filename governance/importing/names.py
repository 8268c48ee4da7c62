"""Every name that the manifest or the portal knows, and what the people among them may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.utils.translation import gettext as _

from documents.models import AREA_PREFIX, EVERYONE, ROLE_PREFIX, UNIT_PREFIX, Area, Document, Unit
from documents.rules.types import Role
from governance.importing.manifest import Manifest, Person
from governance.importing.schema import Reading

IMPORTER = "importacao"
"""The account in whose name the import acts where a manifest names nobody."""
RESERVED = (AREA_PREFIX, UNIT_PREFIX, ROLE_PREFIX)


def groups_of(person: Person) -> frozenset[str]:
    """The names of the groups that the manifest puts a person in."""
    places = {f"{AREA_PREFIX}{slug}" for slug in person.areas} | {f"{UNIT_PREFIX}{slug}" for slug in person.units}
    return frozenset(person.groups) | places | {f"{ROLE_PREFIX}{role}" for role in person.roles}


@dataclass(frozen=True, slots=True)
class Names:
    """`groups_of` holds, by person, the names of the groups that they are in once the manifest is in."""

    people: frozenset[str]
    areas: frozenset[str]
    units: frozenset[str]
    groups: frozenset[str]
    documents: frozenset[str]
    groups_of: dict[str, frozenset[str]]

    @classmethod
    def known(cls, manifest: Manifest) -> Names:
        users, joined = get_user_model()._default_manager, _memberships(manifest)
        groups = Group.objects.values_list("name", flat=True)
        declared = {person.username: groups_of(person) for person in manifest.people}
        return cls(
            people=frozenset(users.values_list("username", flat=True)) | declared.keys(),
            areas=frozenset(Area.objects.values_list("slug", flat=True)) | {a.slug for a in manifest.areas},
            units=frozenset(Unit.objects.values_list("slug", flat=True)) | {u.slug for u in manifest.units},
            groups=frozenset(groups) | {g for p in manifest.people for g in p.groups} | {EVERYONE},
            documents=frozenset(Document.objects.values_list("code", flat=True)) | {d.code for d in manifest.documents},
            groups_of={
                name: joined.get(name, frozenset()) | declared.get(name, frozenset())
                for name in joined.keys() | declared.keys()
            },
        )

    def approves(self, username: str, area: str) -> bool:
        """The role alone is not enough: an approver decides in the areas that they belong to."""
        return self._has(username, ROLE_PREFIX + Role.APPROVER, AREA_PREFIX + area)

    def drafts(self, username: str, area: str) -> bool:
        """Whether the person may write a text of the area that is not their own."""
        return self._has(username, AREA_PREFIX + area) or self._has(username, ROLE_PREFIX + Role.INDEXER)

    def _has(self, username: str, *groups: str) -> bool:
        return self.groups_of.get(username, frozenset()) >= set(groups)


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the manifest something is said, and to whom its problems are told."""

    what: str
    line: int
    reading: Reading

    def problem(self, message: str) -> None:
        self.reading.problem(self.line, f"{self.what}: {message}")

    def unknown(self, kind: str, names: Iterable[str], known: frozenset[str]) -> None:
        """Tell each of `names`, the empty one aside, that nobody knows."""
        for name in names:
            if name and name not in known:
                self.problem(_unknown(kind) % {"name": name})


def _unknown(kind: str) -> str:
    return {
        "area": _("the area `%(name)s` is unknown"),
        "unit": _("the unit `%(name)s` is unknown"),
        "person": _("the person `%(name)s` is unknown"),
        "user": _("the user `%(name)s` is unknown"),
        "group": _("the group `%(name)s` is unknown"),
        "document": _("the document `%(name)s` is unknown"),
    }[kind]


def _memberships(manifest: Manifest) -> dict[str, frozenset[str]]:
    """The groups that the portal already has the people of the manifest's revisions in."""
    named = {name for d in manifest.documents for r in d.revisions for name in (r.approver, r.author) if name}
    rows = get_user_model()._default_manager.filter(username__in=named).values_list("username", "groups__name")
    found: dict[str, set[str]] = {}
    for username, group in rows:
        found.setdefault(username, set()).add(group)
    return {username: frozenset(groups) for username, groups in found.items()}
