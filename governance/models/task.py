"""Work that only the owner of a text can do: settle a conflict, answer what the base does not."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from documents.models import Document
from governance.querysets import OwnerTaskQuerySet


class OwnerTask(models.Model):
    """About one document, or about two that disagree (`document` is then the one with the lower id).

    `evidence` is the id of the evidence record that gave rise to it, or empty.
    """

    class Kind(models.TextChoices):
        CONFLICT = "conflict", _("two sources disagree")
        QUESTION = "question", _("question without an answer")
        FEEDBACK = "feedback", _("an answer was called wrong")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        DONE = "done", _("done")

    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    document = models.ForeignKey(
        Document, models.CASCADE, related_name="tasks", null=True, blank=True, verbose_name=_("document")
    )
    other = models.ForeignKey(
        Document, models.CASCADE, related_name="tasks_as_other", null=True, blank=True, verbose_name=_("other document")
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        related_name="owner_tasks",
        null=True,
        blank=True,
        verbose_name=_("for"),
    )
    evidence = models.CharField(_("evidence"), max_length=36, blank=True)
    note = models.TextField(_("note"), blank=True)
    state = models.CharField(_("state"), max_length=4, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)

    objects: ClassVar[OwnerTaskQuerySet] = OwnerTaskQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("task for an owner")
        verbose_name_plural = _("tasks for owners")
        ordering = ["state", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "document", "other"],
                condition=Q(state="open", other__isnull=False),
                name="governance_ownertask_pair_open_once",
            ),
            models.CheckConstraint(
                condition=Q(other=None) | Q(document__lt=F("other")), name="governance_ownertask_pair_in_order"
            ),
            models.CheckConstraint(
                condition=~Q(kind="conflict") | Q(document__isnull=False, other__isnull=False),
                name="governance_ownertask_conflict_has_a_pair",
            ),
            models.CheckConstraint(
                condition=Q(state="open", done_at=None) | Q(state="done", done_at__isnull=False),
                name="governance_ownertask_done_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk}"
