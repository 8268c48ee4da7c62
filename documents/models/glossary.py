"""Curated, versioned meanings of the company's acronyms."""

from __future__ import annotations

import pghistory
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _

from documents.models.organisation import Area


@pghistory.track()
class GlossaryEntry(models.Model):
    term = models.CharField(_("term"), max_length=60)
    expansions = ArrayField(models.CharField(max_length=200), verbose_name=_("expansions"))
    area = models.ForeignKey(Area, models.PROTECT, null=True, blank=True, verbose_name=_("area"))
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, verbose_name=_("owner")
    )
    reason = models.TextField(_("reason"))
    version = models.PositiveIntegerField(_("version"), default=1, editable=False)

    class Meta:
        verbose_name = _("glossary entry")
        verbose_name_plural = _("glossary")
        ordering = ["term"]
        constraints = [
            models.UniqueConstraint(Upper("term"), "area", name="documents_glossary_term_once", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return self.term

    def save(self, *args: object, **kwargs: object) -> None:
        if self.pk:
            self.version += 1
        super().save(*args, **kwargs)  # type: ignore[arg-type]
