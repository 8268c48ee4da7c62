"""What the admins share. Their pages are governance's, whose actions they call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from documents.filters import MOST_WORDS
from documents.reader import reader_of
from documents.rules.types import Reader, Role

Value = TypeVar("Value")


def once(request: HttpRequest, name: str, make: Callable[[], Value]) -> Value:
    """What `make` gives, worked out once a request: every list and every link asks the same of it."""
    kept: dict[str, Value] = request.__dict__.setdefault("_once", {})
    if name not in kept:
        kept[name] = make()
    return kept[name]


def person_of(request: HttpRequest) -> Reader:
    """The person behind a request of the admin."""
    user = request.user
    # Nobody, as keys: opens nothing.
    nobody = Reader(key="", user_id=0, active=False)
    return once(request, "person", lambda: reader_of(user) if user.is_authenticated else nobody)


class Offered(admin.ModelAdmin):
    """A list is narrowed by the filters that it offers and by nothing else.

    Django takes any field of the model from the address: whoever may know of a text without reading it could then ask
    for its first letter, and for the next.
    """

    def lookup_allowed(self, lookup: str, value: object, request: HttpRequest) -> bool:
        text = str(value)
        if "\0" in text or (lookup.endswith("__year") and len(text) > 4):
            return False  # neither PostgreSQL nor the calendar takes it
        offered = [self.date_hierarchy]
        for one in self.get_list_filter(request):
            if isinstance(one, type) and issubclass(one, admin.SimpleListFilter):
                if lookup == one.parameter_name:
                    return True
            else:
                offered.append(str(one[0] if isinstance(one, tuple) else one))
        known = any(lookup == field or lookup.startswith(f"{field}__") for field in offered if field)
        return known and super().lookup_allowed(lookup, text, request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Each word is a condition of its own; no row has thousands of them."""
        if len(search_term.split()) > MOST_WORDS:
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)


class ByRole(Offered):
    """Permissions follow from the roles that a person holds, not from a second list of model permissions.

    A superuser configures the portal: that opens no text of a document.
    """

    viewers: ClassVar[frozenset[Role]] = frozenset({Role.AUDITOR})
    editors: ClassVar[frozenset[Role]] = frozenset()
    configured = True

    def person(self, request: HttpRequest) -> Reader:
        return person_of(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._holds(request, self.viewers | self.editors)

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self._holds(request, self.viewers | self.editors)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.configured and self._holds(request, self.editors)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.configured and self._holds(request, self.editors)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.configured and self._holds(request, self.editors)

    def _holds(self, request: HttpRequest, roles: frozenset[Role]) -> bool:
        if not request.user.is_active or not request.user.is_authenticated:
            return False
        return request.user.is_superuser or bool(roles & person_of(request).roles)


class RecordAdmin(ByRole):
    """Rows that the machinery writes: looked at, never edited."""

    viewers = frozenset({Role.INDEXER, Role.AUDITOR})
    configured = False
