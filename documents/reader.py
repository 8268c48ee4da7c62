"""User → Reader: the only place where a person becomes the keys that the rules decide on."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser

from documents.models import AREA_PREFIX, EVERYONE, ROLE_PREFIX, UNIT_PREFIX, ReaderIdentity, Unit
from documents.rules.types import Reader, Role


def reader_of(user: AbstractBaseUser) -> Reader:
    """The reader for a signed-in user, in three queries. Being a superuser adds nothing; nobody reads nothing."""
    if user.pk is None:
        return Reader(key="", user_id=0, active=False)
    groups: set[str] = set(user.groups.values_list("name", flat=True))  # type: ignore[attr-defined]
    units = _strip(groups, UNIT_PREFIX)
    identity, _created = ReaderIdentity.objects.get_or_create(user_id=user.pk)
    held = set(Unit.objects.filter(slug__in=units).values_list("jurisdiction", flat=True)) if units else set()
    prefixes = (AREA_PREFIX, UNIT_PREFIX, ROLE_PREFIX)
    return Reader(
        key=str(identity.key),
        user_id=user.pk,
        active=bool(user.is_active),
        named_groups=frozenset(name for name in groups if not name.startswith(prefixes)) | {EVERYONE},
        areas=_strip(groups, AREA_PREFIX),
        units=units,
        jurisdictions=frozenset(part for name in held for part in with_prefixes(name)),
        roles=frozenset(Role(name) for name in _strip(groups, ROLE_PREFIX) if name in set(Role)),
    )


def with_prefixes(jurisdiction: str) -> list[str]:
    """`BR-SP` → `["BR", "BR-SP"]`: a rule for the country holds in its states."""
    parts = jurisdiction.split("-")
    return ["-".join(parts[: i + 1]) for i in range(len(parts))]


def _strip(names: set[str], prefix: str) -> frozenset[str]:
    return frozenset(name.removeprefix(prefix) for name in names if name.startswith(prefix))
