"""The pages under `/painel/`."""

from __future__ import annotations

from django.urls import path

from chat import dashboard_views as views

urlpatterns = [
    path("", views.dashboards, name="dashboards"),
    path("<slug:slug>.csv", views.table, name="dashboard-table"),
]
