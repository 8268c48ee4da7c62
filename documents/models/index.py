"""The index as an entity: which configuration of engine, model and rules holds which set of passages."""

from __future__ import annotations

import hashlib

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from documents.models.chunk import Chunk
from documents.models.vector import VectorField


def identity(engine: str, fingerprint: str, configuration: str) -> str:
    """The hash of everything that decides what an index holds, 64 hexadecimal digits."""
    return hashlib.sha256("\0".join((engine, fingerprint, configuration)).encode()).hexdigest()


class IndexVersion(models.Model):
    """`embedder` is how its model is made, without keys: questions to this version are embedded by that one.

    `entries`, `revisions` and `set_hash` are those of the set of (revision, chunk, audience, window, …) that it held
    when it was published. A dropped version keeps its row; what it held is gone once `dropped_at` says so.
    """

    class State(models.TextChoices):
        BUILDING = "building", _("building")
        ACTIVE = "active", _("active")
        PREVIOUS = "previous", _("previous")
        DROPPED = "dropped", _("dropped")

    engine = models.CharField(_("engine"), max_length=40)
    fingerprint = models.CharField(_("embedder"), max_length=100)
    dimensions = models.PositiveIntegerField(_("dimensions"))
    embedder = models.JSONField(default=dict, blank=True, editable=False)
    chunker = models.CharField(_("chunker"), max_length=20, blank=True)
    rules = models.CharField(_("rules"), max_length=200, blank=True)
    configuration = models.CharField(_("configuration"), max_length=200)
    configuration_hash = models.CharField(_("hash of the configuration"), max_length=64, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.BUILDING)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    published_at = models.DateTimeField(_("published at"), null=True, blank=True)
    dropped_at = models.DateTimeField(_("dropped at"), null=True, blank=True)
    entries = models.PositiveIntegerField(_("entries"), default=0)
    revisions = models.PositiveIntegerField(_("revisions"), default=0)
    set_hash = models.CharField(_("hash of the set"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("index version")
        verbose_name_plural = _("index versions")
        constraints = [
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="active"), name="documents_indexversion_one_active"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.engine}-{self.pk}"


class IndexEntry(models.Model):
    """One chunk in one index version, with the fields that the engine filters on before it ranks.

    Days are counted from 1970-01-01; an open end is `FOREVER`, and a text that was never published has an empty
    window. `standing` is `role` where a window that has ended asks for the role history.
    """

    version = models.ForeignKey(IndexVersion, models.CASCADE, related_name="held")
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="index_entries")
    revision_id = models.BigIntegerField()
    audience = models.CharField(max_length=64)
    valid_from = models.IntegerField()
    valid_until = models.IntegerField()
    standing = models.CharField(max_length=4)
    owned = models.BooleanField()
    corpus = models.CharField(max_length=10)
    area = models.CharField(max_length=60)
    vector = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "chunk"], name="documents_indexentry_once"),
        ]
        indexes = [
            models.Index(fields=["version", "revision_id"], name="documents_indexentry_revision"),
            models.Index(fields=["version", "audience"], name="documents_indexentry_audience"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}:{self.chunk_id}"
