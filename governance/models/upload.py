"""A file that was read and shown to the person who sent it, and is no draft yet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from documents.models import Document, Revision


class Upload(models.Model):
    """What the second step needs: the very bytes that were read, and what the person meant to do with them.

    `extraction` is `documents.extractors.codec` JSON. `revision` is the draft whose text it would replace; without one
    it would become a new draft with `label`. Only `person` sees it, and it is gone once it was confirmed or given up.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    document = models.ForeignKey(Document, models.CASCADE, related_name="uploads")
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="+", null=True)
    label = models.CharField(max_length=40)
    valid_from = models.DateField(null=True)
    valid_until = models.DateField(null=True)
    reason = models.TextField()
    name = models.CharField(max_length=255)
    media_type = models.CharField(max_length=100)
    file = models.FileField(upload_to="uploads/%Y/%m/", max_length=300)
    content_hash = models.CharField(max_length=64)
    extraction = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class CorpusImport(models.Model):
    """A corpus folder that came as a ZIP file: first looked at, then, if its person says so, imported as a job.

    `planned` and `report` are the lines of `governance.importing.dry_run` and of the import's own report, as JSON, in
    `language`: that in which its person read the portal. Empty means the portal's own.
    """

    class State(models.TextChoices):
        CHECKING = "checking", _("being checked")
        REFUSED = "refused", _("cannot be imported")
        PLANNED = "planned", _("checked, waiting for you")
        RUNNING = "running", _("being imported")
        DONE = "done", _("imported")
        BROKEN = "broken", _("imported with failures")
        DROPPED = "dropped", _("given up")

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    name = models.CharField(_("file"), max_length=255)
    file = models.FileField(upload_to="imports/%Y/%m/", max_length=300)
    content_hash = models.CharField(_("hash of the file"), max_length=64)
    reason = models.TextField(_("reason"), blank=True)
    language = models.CharField(max_length=10, blank=True, default="")
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.CHECKING)
    progress = models.CharField(_("progress"), max_length=200, blank=True)
    planned = models.JSONField(_("plan"), default=dict)
    report = models.JSONField(_("report"), default=dict)
    settled_at = models.DateTimeField(_("settled at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    updated_at = models.DateTimeField(_("updated at"), auto_now=True)

    class Meta:
        verbose_name = _("import of a folder")
        verbose_name_plural = _("imports of folders")
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name
