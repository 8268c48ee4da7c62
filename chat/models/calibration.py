"""Refusal thresholds, fitted on the portal's own questions and kept by version."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Calibration(models.Model):
    """`thresholds` is the value that `chat.rules.abstain` decides with; the newest row is the one in use."""

    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    thresholds = models.JSONField(_("thresholds"))
    questions = models.PositiveIntegerField(_("questions"))
    curve = models.JSONField(_("curve"), default=list)
    source = models.CharField(_("question set"), max_length=200)

    class Meta:
        verbose_name = _("calibration")
        verbose_name_plural = _("calibrations")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"calibration-{self.pk}"
