"""Precedence as governed data: who prevails over whom, why, since when, and where it is the other way round."""

from __future__ import annotations

from typing import ClassVar

import pghistory
from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateRangeField, RangeOperators
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from documents.models import Document
from documents.models.document import slugs
from governance.querysets import PrecedenceQuerySet


@pghistory.track()
class PrecedenceRule(models.Model):
    class Kind(models.TextChoices):
        MANDATORY = "mandatory", _("mandatory: the other is not quoted")
        PREFERENTIAL = "preferential", _("preferential: goes first, both stand")

    prevails = models.ForeignKey(
        Document, models.PROTECT, related_name="prevails_by", verbose_name=_("document that prevails")
    )
    over = models.ForeignKey(Document, models.PROTECT, related_name="yields_by", verbose_name=_("over"))
    except_units = slugs(_("except in units"), _("There the other one prevails."))
    except_jurisdictions = slugs(_("except in jurisdictions"), _("There the other one prevails."))
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("owner"))
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    reason = models.TextField(_("reason"))
    validity = DateRangeField(_("validity"))

    objects: ClassVar[PrecedenceQuerySet] = PrecedenceQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("precedence rule")
        verbose_name_plural = _("precedence rules")
        constraints = [
            models.CheckConstraint(condition=~Q(prevails=F("over")), name="governance_precedencerule_not_over_itself"),
            models.CheckConstraint(condition=~Q(reason=""), name="governance_precedencerule_has_a_reason"),
            models.CheckConstraint(
                condition=Q(validity__isempty=False, validity__lower_inf=False),
                name="governance_precedencerule_has_a_start",
            ),
            ExclusionConstraint(
                name="governance_precedencerule_one_at_a_time",
                expressions=[
                    ("prevails", RangeOperators.EQUAL),
                    ("over", RangeOperators.EQUAL),
                    ("validity", RangeOperators.OVERLAPS),
                ],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prevails.code} > {self.over.code}"
