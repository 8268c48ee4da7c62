"""Background work as rows: what was asked for outlives the broker that carries it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    kind = models.CharField(_("kind"), max_length=40)
    argument = models.BigIntegerField(_("argument"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING, db_index=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    error = models.TextField(_("error"), blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.argument or ''}".strip()
