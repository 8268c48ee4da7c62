"""Who may read a document and who owns it. Answers follow at commit: every answer asks the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils.translation import gettext as _

from documents.models import (
    EVERYONE,
    READ,
    ROLE_PREFIX,
    Document,
    DocumentGroupGrant,
    DocumentUserGrant,
    Propagation,
)
from documents.reader import reader_of
from documents.rules.audience import WIDE
from governance import audit
from governance.actions._converge import converge_documents
from governance.actions._rows import lock
from governance.actions._transition import required
from governance.actions.follow import converging
from governance.errors import UnknownReaders
from governance.models import Verb
from governance.permissions import check, subject_of
from governance.rules.moves import Duty

PERSON_PREFIX = "user:"
NAMED_PREFIX = "group:"


def readers_of(document: Document) -> list[str]:
    """The readers as `set_readers` takes them, sorted: `area:…`, `group:…`, `unit:…`, `user:…`."""
    grants = document.group_grants.filter(permission__codename=READ).values_list("group__name", flat=True)
    people = document.user_grants.filter(permission__codename=READ).values_list("user__username", flat=True)
    return sorted([*map(reader_named, grants), *(f"{PERSON_PREFIX}{name}" for name in people)])


def reader_named(group: str) -> str:
    """A group as a reader: an area's or a unit's is called by its own name."""
    return group if group.startswith(WIDE) else f"{NAMED_PREFIX}{group}"


def set_readers(document_id: int, readers: Sequence[str], *, actor: AbstractBaseUser, reason: str) -> bool:
    """Replace the readers by `readers` (`group:… user:… area:… unit:…`); whether anything changed.

    Empty means nobody but the owner. Raises `UnknownReaders` naming each that does not exist.
    """
    return _change_readers(document_id, lambda _held: set(readers), actor=actor, reason=reason)


def grant(document_id: int, readers: Iterable[str], *, actor: AbstractBaseUser, reason: str) -> bool:
    """Let these read the document too; whether anything changed. Raises as `set_readers`."""
    return _change_readers(document_id, lambda held: held | set(readers), actor=actor, reason=reason)


def revoke(document_id: int, readers: Iterable[str], *, actor: AbstractBaseUser, reason: str) -> bool:
    """Take the grant of these back, whoever else was granted meanwhile; whether anything changed."""
    return _change_readers(document_id, lambda held: held - set(readers), actor=actor, reason=reason)


def _change_readers(
    document_id: int, change: Callable[[set[str]], set[str]], *, actor: AbstractBaseUser, reason: str
) -> bool:
    reason = required(reason)
    with transaction.atomic():
        document = lock(document_id)
        check(reader_of(actor), subject_of(document), Duty.MANAGE)
        held = set(readers_of(document))
        wanted = change(held)
        if wanted == held:
            return False
        before = _keys(document)
        after = replace_grants(document, wanted)
        audit.record(
            Verb.READERS_CHANGED,
            actor=actor,
            target=audit.document_target(document),
            before={"readers": before},
            after={"readers": after},
            reason=reason,
        )
        converge_documents([document], Propagation.Action.READERS)
    return True


def set_owner(document_id: int, owner: AbstractBaseUser | None, *, actor: AbstractBaseUser, reason: str) -> bool:
    """Hand the document to `owner`; None leaves it without one, and then it is not quoted. Whether it changed."""
    reason = required(reason)
    with transaction.atomic():
        document = lock(document_id)
        check(reader_of(actor), subject_of(document), Duty.MANAGE)
        owner_id = owner.pk if owner is not None else None
        if document.owner_id == owner_id:
            return False
        before = audit.key_of(document.owner_id)
        document.owner_id = owner_id
        document.save(update_fields=["owner"])
        audit.record(
            Verb.OWNER_CHANGED,
            actor=actor,
            target=audit.document_target(document),
            before={"owner": before},
            after={"owner": audit.key_of(owner_id)},
            reason=reason,
        )
        converge_documents([document], Propagation.Action.OWNER)
    return True


def give_grants(readers: Mapping[Document, Iterable[str]]) -> list[list[str]]:
    """Let these read each document too; returns its `readers` with people as keys. For the actions of this package."""
    wanted = {document: sorted(set(own)) for document, own in readers.items()}
    everybody = sorted(set().union(*wanted.values()))
    if f"{NAMED_PREFIX}{EVERYONE}" in everybody:
        Group.objects.get_or_create(name=EVERYONE)  # nobody has to join it, so nobody may have made it yet
    users, groups, unknown = _resolve(everybody)
    if unknown:
        raise UnknownReaders(_("No such reader: %(names)s.") % {"names": ", ".join(unknown)})
    permission = Permission.objects.get(content_type__app_label="documents", codename=READ)
    DocumentUserGrant.objects.bulk_create(
        [
            DocumentUserGrant(permission=permission, user_id=users[reader], content_object=document)
            for document, own in wanted.items()
            for reader in own
            if reader in users
        ],
        ignore_conflicts=True,
    )
    DocumentGroupGrant.objects.bulk_create(
        [
            DocumentGroupGrant(permission=permission, group_id=groups[reader], content_object=document)
            for document, own in wanted.items()
            for reader in own
            if reader in groups
        ],
        ignore_conflicts=True,
    )
    keys = {reader: f"{PERSON_PREFIX}{audit.key_of(pk)}" for reader, pk in users.items()}
    return [
        [reader for reader in own if reader in groups] + sorted(keys[reader] for reader in own if reader in keys)
        for own in wanted.values()
    ]


def replace_grants(document: Document, readers: Iterable[str]) -> list[str]:
    """Make the grants be exactly `readers`; returns them with people as keys. For the actions of this package."""
    names = give_grants({document: readers})[0]
    users, groups, _unknown = _resolve(sorted(set(readers)))
    with converging():
        document.user_grants.filter(permission__codename=READ).exclude(user_id__in=users.values()).delete()
        document.group_grants.filter(permission__codename=READ).exclude(group_id__in=groups.values()).delete()
    return names


def unknown_readers(readers: Iterable[str]) -> list[str]:
    """Those of `readers` that `set_readers` would refuse."""
    _users, _groups, unknown = _resolve(sorted(set(readers) - {f"{NAMED_PREFIX}{EVERYONE}"}))
    return unknown


def _resolve(readers: Sequence[str]) -> tuple[dict[str, int], dict[str, int], list[str]]:
    """The ids of people and those of groups, by reader, and the readers that do not exist."""
    people = {name.removeprefix(PERSON_PREFIX): name for name in readers if name.startswith(PERSON_PREFIX)}
    named = {name.removeprefix(NAMED_PREFIX): name for name in readers if name.startswith(NAMED_PREFIX)}
    # A role or a place under `group:` would be a second spelling of something else.
    named = {name: reader for name, reader in named.items() if not name.startswith((*WIDE, ROLE_PREFIX))}
    named |= {name: name for name in readers if name.startswith(WIDE)}
    users = dict(get_user_model()._default_manager.filter(username__in=people).values_list("username", "pk"))
    groups = dict(Group.objects.filter(name__in=named).values_list("name", "pk"))
    found = {people[name]: pk for name, pk in users.items()}, {named[name]: pk for name, pk in groups.items()}
    return *found, [name for name in readers if name not in found[0] and name not in found[1]]


def _keys(document: Document) -> list[str]:
    """The readers for the audit trail, where a person is a key."""
    people = document.user_grants.filter(permission__codename=READ).values_list("user_id", flat=True)
    groups = [name for name in readers_of(document) if not name.startswith(PERSON_PREFIX)]
    return groups + sorted(f"{PERSON_PREFIX}{audit.key_of(pk)}" for pk in people)
