"""The portal's addresses. Paths that people see are Portuguese and fixed."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path
from django.views.i18n import set_language

from kbportal import health, metrics

handler400 = "kbportal.error_pages.bad_request"
handler403 = "kbportal.error_pages.permission_denied"
handler404 = "kbportal.error_pages.page_not_found"
handler500 = "kbportal.error_pages.server_error"

urlpatterns = [
    path("", include("chat.urls")),
    path("documentos/", include("governance.urls")),
    path("evidencias/", include("chat.evidence_urls")),
    path("painel/", include("chat.dashboard_urls")),
    path("entrar/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("sair/", LogoutView.as_view(), name="logout"),
    path("idioma/", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("api/", include("kbportal.api")),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics.export, name="metrics"),
]
