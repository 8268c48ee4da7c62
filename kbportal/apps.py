from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class KbportalConfig(AppConfig):
    name = "kbportal"
    verbose_name = _("Portal")

    def ready(self) -> None:
        # Both register themselves: the checks with Django, the application as the one that shared tasks belong to.
        from kbportal import celery, checks  # noqa: F401


class PortalAdminConfig(AdminConfig):
    """The stock admin on our own site."""

    default_site = "kbportal.admin.PortalAdminSite"
