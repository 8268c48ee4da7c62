"""Who sees which numbers: the whole company for those who look after the portal, their own areas for owners."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _

from documents.models import Document
from documents.rules.types import Reader, Role
from governance.permissions import known_documents, managed_documents

WHOLE = frozenset({Role.AUDITOR, Role.PRODUCT, Role.INDEXER})
"""Roles that see every area, costs and how the machinery does."""
QUESTIONS = frozenset({Role.AUDITOR, Role.PRODUCT})
"""Roles that read what was asked in vain, without personal data, whatever its area."""


@dataclass(frozen=True, slots=True)
class Scope:
    """`areas` is None for all. `reads_questions` says whether the words of questions are shown.

    `documents` are the codes that may be named; of others only a number is told. `audits` opens what is an auditor's.
    """

    areas: frozenset[str] | None
    reads_questions: bool
    documents: frozenset[str]
    audits: bool = False

    @property
    def whole(self) -> bool:
        return self.areas is None

    def name(self, code: str) -> str:
        """The code where it may be named; what an answer without sources is about has no code."""
        if not code:
            return _("answers without sources")
        return code if code in self.documents else _("another document")


def scope_of(user: User, reader: Reader) -> Scope | None:
    """What the person sees of the dashboards; None: for them there are none."""
    if not reader.active:
        return None
    if WHOLE & reader.roles:
        known = known_documents(user).order_by().values_list("code", flat=True)
        return Scope(None, bool(QUESTIONS & reader.roles), frozenset(known), Role.AUDITOR in reader.roles)
    managed = managed_documents(reader).order_by().values_list("code", "area__slug")
    rows = list(managed)
    areas = frozenset(area for _code, area in rows)
    if Role.APPROVER in reader.roles:
        areas |= reader.areas
    return Scope(areas, True, frozenset(code for code, _area in rows)) if areas else None


def owns_some(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether the person has numbers of their own to see: those of the areas of their documents."""
    return user.pk is not None and Document.objects.filter(owner_id=user.pk).exists()
