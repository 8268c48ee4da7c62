"""The preview of a publication: kept beside the text that it is about."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from documents.models import Revision


class Preview(models.Model):
    """What the publication of one text on one day would change in answers, worked out in the background.

    It belongs to the content that was approved or is to be: another content asks for another preview. `questions` are
    the ids of the evidence that is asked again, oldest first, of which `done` were asked; `changes` holds one JSON
    object for each answer that would differ (`chat.impact`).
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("being worked out")
        DONE = "done", _("done")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="previews")
    content_hash = models.CharField(max_length=64)
    start = models.DateField(_("from the day"))
    state = models.CharField(_("state"), max_length=9, choices=State, default=State.WAITING)
    questions = models.JSONField(default=list)
    done = models.PositiveIntegerField(default=0)
    changes = models.JSONField(default=list)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "content_hash", "start"],
                condition=Q(state__in=["waiting", "running", "done"]),
                name="governance_preview_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} {self.start}"

    @property
    def total(self) -> int:
        return len(self.questions)

    @property
    def open(self) -> bool:
        return self.state in (self.State.WAITING, self.State.RUNNING)
