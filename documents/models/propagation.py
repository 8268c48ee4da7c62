"""How long a change takes to reach whatever answers are made from, measured at every change; and what is wrong now."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from documents.models.document import Document
from documents.models.revision import Revision
from documents.querysets import PropagationQuerySet


class Propagation(models.Model):
    """One change and, for each layer, when it was seen to agree with the tables; `agreed_at` is the last of them.

    `due_at` is what the objective of the document's risk class asked for on that day. A change made in bulk is the
    import's to bring in: it is shown and measured, and is not late before the widest objective has passed.
    """

    class Action(models.TextChoices):
        PUBLISH = "publish", _("publication")
        RETIRE = "retire", _("retirement")
        RESTORE = "restore", _("restoration")
        READERS = "readers", _("readers")
        OWNER = "owner", _("owner")
        DATA = "data", _("document's data")

    action = models.CharField(_("change"), max_length=8, choices=Action)
    document = models.ForeignKey(Document, models.CASCADE, related_name="propagations", verbose_name=_("document"))
    revision = models.ForeignKey(
        Revision, models.CASCADE, related_name="propagations", null=True, blank=True, verbose_name=_("revision")
    )
    risk = models.CharField(_("risk"), max_length=8, choices=Document.Risk)
    bulk = models.BooleanField(_("in bulk"), default=False)
    committed_at = models.DateTimeField(_("committed at"))
    due_at = models.DateTimeField(_("due at"))
    index_at = models.DateTimeField(_("index agreed at"), null=True, blank=True)
    copies_at = models.DateTimeField(_("copies agreed at"), null=True, blank=True)
    caches_at = models.DateTimeField(_("caches agreed at"), null=True, blank=True)
    agreed_at = models.DateTimeField(_("agreed at"), null=True, blank=True)

    objects: ClassVar[PropagationQuerySet] = PropagationQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("propagation of a change")
        verbose_name_plural = _("propagation of changes")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["document"], condition=Q(agreed_at=None), name="documents_propagation_open"),
            models.Index(fields=["committed_at"], name="documents_propagation_when"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.document.code}"


class Alarm(models.Model):
    """Something that a person with the role indexer has to look at. It closes when what raised it is over."""

    class Kind(models.TextChoices):
        DRIFT = "drift", _("the index differs from the tables")
        LATE = "late", _("a change took too long to arrive")
        PARKED = "parked", _("work is parked")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    note = models.TextField(_("what was found"))
    count = models.PositiveIntegerField(_("how many"), default=0)
    opened_at = models.DateTimeField(_("opened at"), auto_now_add=True)
    seen_at = models.DateTimeField(_("last seen at"), auto_now=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("alarm")
        verbose_name_plural = _("alarms")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind"], condition=Q(closed_at=None), name="documents_alarm_one_open_of_a_kind"
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_kind_display())
