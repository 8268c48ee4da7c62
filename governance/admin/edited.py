"""Pages of rows that an action of governance writes: what an edit changes, and what was changed before."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from governance.admin.base import Acted
from governance.usage import Use
from governance.workbench import happened


class Edited(Acted):
    """Comes before the class that decides who may."""

    change_form_template = "admin/governance/edited.html"

    def uses(self, row: Any) -> list[Use]:
        raise NotImplementedError

    def target(self, row: Any) -> str:
        """Of what the trail tells."""
        raise NotImplementedError

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        row = self.get_object(request, object_id) if object_id is not None else None
        context = dict(extra_context or {})
        if row is not None and self.has_view_permission(request, row):
            uses = [(use, _address(use)) for use in self.uses(row)]
            context |= {"uses": uses, "trail": happened(self.target(row))}
        return super().changeform_view(request, object_id, form_url, context)


def _address(use: Use) -> str:
    return f"{reverse(use.path)}?{use.query}" if use.path else ""
