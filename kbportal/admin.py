"""The portal's admin site. Each app registers its own models in its own admin.py."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _


class PortalAdminSite(AdminSite):
    site_header = _("Knowledge portal")
    site_title = _("Knowledge portal")
    index_title = _("Administration")
    site_url = "/"
