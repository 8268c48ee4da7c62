"""The portal's admin site. Each app registers its own models in its own admin.py."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _


class PortalAdminSite(AdminSite):
    site_header = _("Knowledge portal")
    site_title = _("Knowledge portal")
    index_title = _("What waits for me")
    site_url = "/"
    enable_nav_sidebar = False

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """What waits for the person first, the lists of everything below it."""
        from documents.admin import person_of  # the models are not loaded yet when the site is made
        from governance.admin.home import home, manages_some
        from governance.permissions import may_see_as

        person = person_of(request)
        pages = []
        if may_see_as(person, manages=manages_some(request, person)):
            pages.append({"url": reverse("admin:see_as"), "title": _("See as another person")})
        return super().index(request, {**home(request), "pages": pages, **(extra_context or {})})

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The pages that ask the chat are composed here: the apps below it know nothing of answers."""
        from kbportal import seeing

        return [path("ver-como/", self.admin_view(seeing.page), name="see_as"), *super().get_urls()]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Worked out once a request, and only where a page shows it: most have it in their context and don't."""
        if app_label is not None:
            return super().get_app_list(request, app_label)
        from documents.admin import once  # as above

        made = super().get_app_list
        return once(request, "app_list", lambda: cast("list[Any]", SimpleLazyObject(lambda: made(request))))
