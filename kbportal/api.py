"""Where the HTTP API is put together: each app brings its own routes, this module only gives them their place."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from ninja import NinjaAPI
from rest_framework.routers import DefaultRouter

from chat.api import router as chat_router
from chat.evidence_api import EvidenceViewSet
from governance.api import DocumentViewSet, RevisionViewSet
from kbportal import openapi  # noqa: F401 (drf-spectacular knows its extensions once they are imported)
from kbportal.authentication import SessionAuth, TokenAuth
from kbportal.errors import register_problems

chat = NinjaAPI(openapi_url=None, docs_url=None, auth=[TokenAuth(), SessionAuth()], urls_namespace="chat-api")
chat.add_router("/chat", chat_router)
register_problems(chat)

router = DefaultRouter()  # with a page at `/api/` that leads to the lists
router.include_format_suffixes = False
router.trailing_slash = "/?"
router.register("documents", DocumentViewSet, "api-document")
router.register("revisions", RevisionViewSet, "api-revision")
router.register("evidence", EvidenceViewSet, "api-evidence")

urlpatterns: list[URLPattern | URLResolver] = [
    path("schema", SpectacularAPIView.as_view(), name="api-schema"),
    path(
        "docs",
        SpectacularSwaggerSplitView.as_view(url_name="api-schema", template_name="api/docs.html"),
        name="api-docs",
    ),
    *router.urls,
    path("", chat.urls),
]
