"""The pages that citations lead to, under `/documentos/`."""

from __future__ import annotations

from django.urls import path

from governance import views

urlpatterns = [
    path("", views.documents, name="documents"),
    path("<str:code>/", views.document, name="document"),
    path("<str:code>/comparar/", views.comparison, name="comparison"),
    path("<str:code>/<path:label>/original/", views.original, name="original"),
    path("<str:code>/<path:label>/", views.revision, name="revision"),
]
