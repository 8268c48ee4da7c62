"""The links at the top of every page: each is shown to those for whom its page opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from chat.statistics.scope import WHOLE, owns_some
from documents.models import ROLE_PREFIX
from documents.rules.types import Role

Person = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class Link:
    """A page by its URL name; `opens` says for whom. It only hides the link: the page itself checks again."""

    name: str
    label: object
    opens: Callable[[Person], bool]


@dataclass(frozen=True, slots=True)
class Shown:
    url: str
    label: object
    current: bool


def _anyone(person: Person) -> bool:
    return person.is_authenticated


def _staff(person: Person) -> bool:
    return bool(person.is_staff)


def _auditor(person: Person) -> bool:
    return f"{ROLE_PREFIX}{Role.AUDITOR}" in _groups(person)


def _counts(person: Person) -> bool:
    return bool({f"{ROLE_PREFIX}{role}" for role in (*WHOLE, Role.APPROVER)} & _groups(person)) or owns_some(person)


def _groups(person: Person) -> frozenset[str]:
    """The names of the person's groups, asked for once a request."""
    held: frozenset[str] | None = getattr(person, "_navigation_groups", None)
    if held is None:
        held = frozenset(person.groups.values_list("name", flat=True))
        person._navigation_groups = held  # type: ignore[union-attr]
    return held


LINKS = (
    Link("ask", _("Ask"), _anyone),
    Link("documents", _("Documents"), _anyone),
    Link("evidence", _("Evidence"), _auditor),
    Link("dashboards", _("Dashboards"), _counts),
    Link("admin:index", _("Administration"), _staff),
)


def navigation(request: HttpRequest) -> dict[str, object]:
    """Context processor: `navigation`, worked out only on pages that show it."""
    return {"navigation": SimpleLazyObject(lambda: _shown(request))}


def _shown(request: HttpRequest) -> list[Shown]:
    urls = [(link, reverse(link.name)) for link in LINKS if link.opens(request.user)]
    inside = [url for _link, url in urls if request.path.startswith(url)]
    current = max(inside, key=len, default="")
    return [Shown(url, link.label, url == current) for link, url in urls]
