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


class EvidenceBlock(models.Model):
    """The root of a whole block of records (`chat.rules.merkle`), from 0: kept, since none of them changes."""

    number = models.PositiveIntegerField(primary_key=True)
    root = models.CharField(max_length=64)

    def __str__(self) -> str:
        return str(self.number)


class ChainCheck(models.Model):
    """One walk along a chain. `reached` and `hash` are the last entry looked at: an interrupted walk goes on from it.

    `broken` counts the places that do not hold, `first_broken` is the first of them. `noted` is what to note elsewhere:
    the size of the chain with its root or last hash.
    """

    class Chain(models.TextChoices):
        EVIDENCE = "evidence", _("answers")
        AUDIT = "audit", _("decisions and changes")

    chain = models.CharField(_("chain"), max_length=8, choices=Chain)
    started_at = models.DateTimeField(_("started at"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished at"), null=True)
    reached = models.BigIntegerField(_("up to"), default=0)
    hash = models.CharField(max_length=64, blank=True)
    total = models.BigIntegerField(_("of"), default=0)
    broken = models.PositiveIntegerField(_("breaks"), default=0)
    first_broken = models.BigIntegerField(null=True)
    noted = models.CharField(max_length=100, blank=True)

    class Meta:
        verbose_name = _("check of a chain")
        verbose_name_plural = _("checks of chains")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.chain} {self.reached}"


class EvidenceQuestion(models.Model):
    """The question in the person's own words. Deleting the row erases them; the record keeps the redacted form."""

    record = models.OneToOneField(EvidenceRecord, models.PROTECT, related_name="asked", to_field="id")
    question = models.TextField()
    history = models.JSONField(default=list)

    def __str__(self) -> str:
        return self.question[:60]
