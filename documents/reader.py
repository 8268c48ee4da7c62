"""User → Reader: the only place where a person becomes the keys that the rules decide on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import QuerySet

from documents.models import AREA_PREFIX, EVERYONE, ROLE_PREFIX, UNIT_PREFIX, ReaderIdentity, Unit
from documents.rules.audience import slugs
from documents.rules.types import Reader, Role


def reader_of(user: AbstractBaseUser) -> Reader:
    """The reader for a signed-in user, in three queries. Being a superuser adds nothing; nobody reads nothing."""
    if user.pk is None:
        return Reader(key="", user_id=0, active=False)
    known = _known.get()
    if known is not None and user.pk in known.readers:
        return known.readers[user.pk]
    groups: set[str] = set(user.groups.values_list("name", flat=True))  # type: ignore[attr-defined]
    units = slugs(groups, UNIT_PREFIX)
    held = dict(Unit.objects.filter(slug__in=units).values_list("slug", "jurisdiction")) if units else {}
    reader = _reader(key_of(user.pk), user.pk, bool(user.is_active), groups, held)
    if known is not None and user.pk in known.keys:
        known.readers[user.pk] = reader
    return reader


def key_of(user_id: int) -> str:
    """The key that stands for a person in records; made at first use."""
    known = _known.get()
    if known is not None and user_id in known.keys:
        return known.keys[user_id]
    identity, created = ReaderIdentity.objects.get_or_create(user_id=user_id)
    if known is not None and not created:  # a savepoint that is rolled back takes a new one with it
        known.keys[user_id] = str(identity.key)
    return str(identity.key)


@dataclass(slots=True)
class _Known:
    readers: dict[int, Reader] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)


_known: ContextVar[_Known | None] = ContextVar("known", default=None)


@contextmanager
def asked_once() -> Iterator[None]:
    """Ask for each person once inside: for one short transaction that does much in the name of few people.

    What they may is then what they might when it began, as if all of it had happened at that moment.
    """
    token = _known.set(_Known())
    try:
        yield
    finally:
        _known.reset(token)


def readers_of(users: QuerySet[Any]) -> dict[int, Reader]:
    """The readers for many users by their ids, in three queries, to explain who reads what: they carry no key."""
    groups: dict[int, set[str]] = {}
    for user_id, group in users.order_by().values_list("pk", "groups__name"):
        groups.setdefault(user_id, set()).add(group)
    active = dict(users.order_by().values_list("pk", "is_active"))
    units = dict(Unit.objects.values_list("slug", "jurisdiction"))
    return {pk: _reader("", pk, active[pk], names - {None}, units) for pk, names in groups.items() if pk in active}


def _reader(key: str, user_id: int, active: bool, groups: set[str], jurisdictions: Mapping[str, str]) -> Reader:
    """`jurisdictions` of units by their slugs; those of other units than the person's do no harm."""
    units = slugs(groups, UNIT_PREFIX)
    prefixes = (AREA_PREFIX, UNIT_PREFIX, ROLE_PREFIX)
    held = {jurisdictions[slug] for slug in units if slug in jurisdictions}
    return Reader(
        key=key,
        user_id=user_id,
        active=active,
        named_groups=frozenset(name for name in groups if not name.startswith(prefixes)) | {EVERYONE},
        areas=slugs(groups, AREA_PREFIX),
        units=units,
        jurisdictions=frozenset(part for name in held for part in with_prefixes(name)),
        roles=frozenset(Role(name) for name in slugs(groups, ROLE_PREFIX) if name in set(Role)),
    )


def with_prefixes(jurisdiction: str) -> list[str]:
    """`BR-SP` → `["BR", "BR-SP"]`: a rule for the country holds in its states."""
    parts = jurisdiction.split("-")
    return ["-".join(parts[: i + 1]) for i in range(len(parts))]
