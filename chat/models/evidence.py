"""One record an answer, chained by hash and never changed; what identifies a person lies beside it."""

from __future__ import annotations

import uuid
from typing import ClassVar

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.querysets import EvidenceQuerySet


class EvidenceRecord(models.Model):
    """`body` is everything that produced the answer; `hash` covers it, the columns and the previous record's hash.

    `sequence` is the place in the chain, without gaps. `reader_key` stands for a person through `ReaderIdentity`.
    """

    sequence = models.BigIntegerField(primary_key=True)
    id = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    recorded_at = models.DateTimeField(_("recorded at"))
    status = models.CharField(_("status"), max_length=12, db_index=True)
    on = models.DateField(_("as of"))
    reader_key = models.UUIDField(_("reader key"), db_index=True)
    documents = models.JSONField(_("documents cited"), default=list)
    body = models.JSONField(_("record"))
    previous_hash = models.CharField(_("previous hash"), max_length=64)
    hash = models.CharField(_("hash"), max_length=64, unique=True)

    objects: ClassVar[EvidenceQuerySet] = EvidenceQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("evidence record")
        verbose_name_plural = _("evidence records")
        ordering = ["-sequence"]
        constraints = [models.CheckConstraint(condition=models.Q(sequence__gte=1), name="chat_evidence_starts_at_one")]
        permissions = [("audit_evidence", _("Can open the evidence of every answer"))]
        triggers = [
            pgtrigger.Protect(name="evidence_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="evidence_is_never_emptied",
                level=pgtrigger.Statement,
                when=pgtrigger.Before,
                operation=pgtrigger.Truncate,
                func="RAISE EXCEPTION 'The evidence is append-only';",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class EvidenceHead(models.Model):
    """Where the chain ends, written with each record: a record that is cut off at the end is missed by its head."""

    only = models.BooleanField(primary_key=True, default=True)
    sequence = models.BigIntegerField()
    hash = models.CharField(max_length=64)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(only=True), name="chat_evidencehead_is_one")]

    def __str__(self) -> str:
        return str(self.sequence)


class EvidenceQuestion(models.Model):
    """The question in the person's own words. Deleting the row erases them; the record keeps the redacted form."""

    record = models.OneToOneField(EvidenceRecord, models.PROTECT, related_name="asked", to_field="id")
    question = models.TextField()
    history = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.question[:60]
