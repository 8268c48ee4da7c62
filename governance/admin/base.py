"""What the governed lists share: permissions from `governance.permissions`, and refusals as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from documents.admin import person_of
from documents.errors import DomainError
from documents.rules.types import Reader
from governance.admin.export import Exported
from governance.admin.home import manages_some

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

REASON = _("Reason of this change")


class ReasonField(forms.CharField):
    def __init__(self, label: str | StrPromise = REASON) -> None:
        super().__init__(
            label=label,
            widget=forms.Textarea(attrs={"rows": 2}),
            help_text=_("It stays in the audit trail."),
        )


class Acted(Exported):
    """What an action of governance writes, and refuses."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A refusal by an action is a sentence above the form, which is shown again as it was filled in."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except DomainError as error:
            request.refusal = error.message  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        refusal = getattr(request, "refusal", None)
        if refusal is None:
            return made

        class Refused(made):  # type: ignore[misc, valid-type]
            def clean(self) -> None:
                super().clean()
                self.add_error(None, str(refusal))

        return Refused

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """The actions wrote everything."""


class Governed(Acted):
    """Nothing is added, changed or deleted unless a subclass says so; lists start from a queryset of permissions."""

    list_per_page = 50

    def person(self, request: HttpRequest) -> Reader:
        """The person behind the request, looked up once."""
        return person_of(request)

    def manages_some(self, request: HttpRequest) -> bool:
        return manages_some(request, self.person(request))

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        raise NotImplementedError

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        rows = self.allowed_rows(request)
        ordering = self.get_ordering(request)
        return rows.order_by(*ordering) if ordering else rows

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_active and request.user.is_staff)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False
