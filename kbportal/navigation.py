"""The links at the top of every page: each is shown to those for whom its page opens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

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


LINKS = (
    Link("ask", _("Ask"), _anyone),
    Link("documents", _("Documents"), _anyone),
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
