"""The pages under `/evidencias/`."""

from __future__ import annotations

from django.urls import path

from chat import evidence_views as views

urlpatterns = [
    path("", views.records, name="evidence"),
    path("cadeia/", views.chains, name="evidence-chains"),
    path("exportar/<slug:form>/", views.export, name="evidence-export"),
    path("<uuid:record_id>/", views.record, name="evidence-record"),
    path("<uuid:record_id>/repetir/", views.asked_again, name="evidence-replay"),
    path("<uuid:record_id>/certificado/", views.certificate, name="evidence-certificate"),
]
