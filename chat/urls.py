"""Where a person asks."""

from __future__ import annotations

from django.urls import path

from chat import views

urlpatterns = [path("", views.ask, name="ask")]
