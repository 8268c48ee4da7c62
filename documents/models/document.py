"""A document: the identity that stays while title, place, format and text change."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pghistory
import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from documents.models.organisation import Area
from documents.querysets import DocumentQuerySet
from documents.rules.audience import READ

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def slugs(verbose_name: StrOrPromise, help_text: StrOrPromise = "") -> ArrayField:
    return ArrayField(
        models.CharField(max_length=60), default=list, blank=True, verbose_name=verbose_name, help_text=help_text
    )


@pghistory.track(exclude=["audience_key"])
class Document(models.Model):
    class Kind(models.TextChoices):
        POLICY = "policy", _("policy")
        MANUAL = "manual", _("manual")
        PROCEDURE = "procedure", _("procedure")
        FAQ = "faq", _("FAQ")
        WIKI = "wiki", _("wiki page")
        MINUTES = "minutes", _("minutes")

    class Authority(models.TextChoices):
        OFFICIAL = "official", _("official")
        UNOFFICIAL = "unofficial", _("unofficial")
        ONE_OFF = "one_off", _("one-off decision, not a policy")

    class Classification(models.TextChoices):
        PUBLIC = "public", _("public")
        INTERNAL = "internal", _("internal")
        CONFIDENTIAL = "confidential", _("confidential")
        RESTRICTED = "restricted", _("restricted")

    class History(models.TextChoices):
        READERS = "readers", _("its readers")
        ROLE = "role", _("people with the role history")

    class Risk(models.TextChoices):
        HIGH = "high", _("high")
        NORMAL = "normal", _("normal")
        LOW = "low", _("low")

    code = models.CharField(
        _("code"),
        max_length=80,
        unique=True,
        validators=[RegexValidator(r"^[A-Za-z0-9][A-Za-z0-9._-]*$", _("Use letters, digits, dots and hyphens."))],
        help_text=_("Never changes, not even with title, place or format."),
    )
    title = models.CharField(_("title"), max_length=300)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    area = models.ForeignKey(Area, models.PROTECT, verbose_name=_("area"))
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="owned_documents",
        verbose_name=_("owner"),
        help_text=_("A document without an owner is kept and never quoted."),
    )
    authority = models.CharField(_("authority"), max_length=12, choices=Authority, default=Authority.OFFICIAL)
    classification = models.CharField(
        _("classification"), max_length=12, choices=Classification, default=Classification.INTERNAL
    )
    history = models.CharField(_("past revisions answer"), max_length=8, choices=History, default=History.READERS)
    scope_units = slugs(_("units"), _("Empty: everywhere."))
    scope_jurisdictions = slugs(_("jurisdictions"), _("Empty: everywhere."))
    scope_products = slugs(_("products"), _("Empty: every product."))
    subjects = slugs(_("governed subjects"))
    risk = models.CharField(_("risk"), max_length=8, choices=Risk, default=Risk.NORMAL)
    source_kind = models.CharField(_("source"), max_length=20, default="folder")
    source_uri = models.CharField(_("source address"), max_length=500, blank=True)
    audience_key = models.CharField(max_length=64, editable=False, db_index=True, default="")
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    objects: ClassVar[DocumentQuerySet] = DocumentQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ["code"]
        permissions = [(READ, _("Can be answered from and read the document"))]
        triggers = [pgtrigger.ReadOnly(name="document_code_is_immutable", fields=["code"])]

    def __str__(self) -> str:
        return f"{self.code} · {self.title}"


class Relation(models.Model):
    """A link that someone declared, read from old to new: `source` is replaced by, merged into, … `target`."""

    class Kind(models.TextChoices):
        SUPERSEDES = "supersedes", _("is superseded by")
        DERIVES_FROM = "derives_from", _("is the origin of")
        MERGES = "merges", _("was merged into")
        WITHDRAWS = "withdraws", _("was withdrawn by")

    kind = models.CharField(_("kind"), max_length=14, choices=Kind)
    source = models.ForeignKey(Document, models.CASCADE, related_name="relations_out", verbose_name=_("from"))
    target = models.ForeignKey(Document, models.CASCADE, related_name="relations_in", verbose_name=_("to"))
    reason = models.TextField(_("reason"))

    class Meta:
        verbose_name = _("relation")
        verbose_name_plural = _("relations")
        constraints = [
            models.UniqueConstraint(fields=["kind", "source", "target"], name="documents_relation_once"),
            models.CheckConstraint(
                condition=~models.Q(source=models.F("target")), name="documents_relation_not_to_itself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} {self.kind} {self.target_id}"
