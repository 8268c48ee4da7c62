"""Background work as rows: what was asked for outlives the broker that carries it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """`attempts` counts every start; `faults` those that ended in an error of its own or with its worker.

    `progress` of `total` is in whatever the kind of work counts. A parked job is not offered again: a person retries
    or discards it, with a reason.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed, will be tried again")
        PARKED = "parked", _("parked")
        DISCARDED = "discarded", _("discarded")

    class Queue(models.TextChoices):
        INTERACTIVE = "interactive", _("interactive")
        BULK = "bulk", _("bulk")

    kind = models.CharField(_("kind"), max_length=40)
    argument = models.BigIntegerField(_("argument"), null=True, blank=True)
    queue = models.CharField(_("queue"), max_length=12, choices=Queue, default=Queue.INTERACTIVE)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.WAITING, db_index=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    faults = models.PositiveIntegerField(_("faults"), default=0)
    progress = models.PositiveIntegerField(_("progress"), default=0)
    total = models.PositiveIntegerField(_("of"), default=0)
    error = models.TextField(_("error"), blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.argument or ''}".strip()
