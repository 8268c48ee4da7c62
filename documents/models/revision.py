"""A revision: one edition of a document's text, its window of validity and what is known of its times."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import ArrayField, DateRangeField, RangeOperators
from django.contrib.postgres.indexes import GistIndex
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Greatest, Least, Lower, Upper
from django.utils.translation import gettext_lazy as _

from documents.models.document import Document
from documents.querysets import RevisionQuerySet
from documents.rules.types import SectionSpan

IMMUTABLE_AFTER_SUBMIT = ["document", "label", "text", "text_hash", "content_hash", "file", "media_type", "author"]


def text_changed() -> pgtrigger.Q:
    changes = (pgtrigger.Q(**{f"old__{name}__df": pgtrigger.F(f"new__{name}")}) for name in IMMUTABLE_AFTER_SUBMIT)
    return reduce(or_, changes)


class InForce(Func):
    """`daterange(lower, cut, '[)')`, where cut is the earlier of the end and the day of retirement."""

    function = "daterange"
    output_field = DateRangeField()

    def __init__(self) -> None:
        cut = Greatest(Lower("validity"), Least(Upper("validity"), F("retired_on")))
        # Greatest and Least of PostgreSQL pass over NULL, which here stands for an open end: that is what is wanted,
        # except that an open end with no retirement must stay open.
        until = models.Case(
            models.When(Q(retired_on=None), then=Upper("validity")),
            default=cut,
            output_field=models.DateField(),
        )
        super().__init__(Lower("validity"), until, models.Value("[)"))


class Certainty(models.TextChoices):
    """How a time came to be known."""

    EXACT = "exact", _("measured here")
    DECLARED = "declared", _("declared by a person")
    INFERRED = "inferred", _("read from file metadata")
    UNKNOWN = "unknown", _("unknown")


def certainty() -> models.CharField:
    return models.CharField(max_length=8, choices=Certainty, default=Certainty.UNKNOWN)


class Revision(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        IN_REVIEW = "in_review", _("in review")
        APPROVED = "approved", _("approved")
        PUBLISHED = "published", _("published")
        RETIRED = "retired", _("retired")

    document = models.ForeignKey(Document, models.PROTECT, related_name="revisions", verbose_name=_("document"))
    label = models.CharField(_("label"), max_length=40)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)
    validity = DateRangeField(_("validity"), null=True, blank=True)
    retired_on = models.DateField(_("retired on"), null=True, blank=True)
    in_force = models.GeneratedField(
        expression=InForce(), output_field=DateRangeField(null=True), db_persist=True, verbose_name=_("in force")
    )

    file = models.FileField(_("original file"), upload_to="originals/%Y/%m/", max_length=300, blank=True)
    media_type = models.CharField(_("media type"), max_length=100, blank=True)
    content_hash = models.CharField(_("hash of the original"), max_length=64)
    text = models.TextField(_("text"))
    text_hash = models.CharField(_("hash of the text"), max_length=64)
    pages = models.JSONField(default=list, blank=True, editable=False)
    extractor = models.CharField(_("extractor"), max_length=60, blank=True)
    warnings = ArrayField(models.TextField(), default=list, blank=True, verbose_name=_("extraction warnings"))

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, verbose_name=_("author")
    )
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True, verbose_name=_("approver")
    )
    approved_hash = models.CharField(_("hash that was approved"), max_length=64, blank=True)

    source_at = models.DateTimeField(_("seen at the source"), null=True, blank=True)
    source_certainty = certainty()
    approved_at = models.DateTimeField(_("approved at"), null=True, blank=True)
    approved_certainty = certainty()
    extracted_at = models.DateTimeField(_("extracted at"), null=True, blank=True)
    extracted_certainty = certainty()
    published_at = models.DateTimeField(_("published in the index at"), null=True, blank=True)
    published_certainty = certainty()
    created_at = models.DateTimeField(_("recorded at"), auto_now_add=True)

    objects: ClassVar[RevisionQuerySet] = RevisionQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["document", "id"]
        indexes = [
            GistIndex(fields=["in_force"], name="documents_revision_in_force"),
            models.Index(fields=["state"], name="documents_revision_state"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["document", "label"], name="documents_revision_label_once"),
            models.UniqueConstraint(
                fields=["document"], condition=Q(state="in_review"), name="documents_revision_one_open_review"
            ),
            models.CheckConstraint(
                condition=Q(approved_by=None) | Q(author=None) | ~Q(approved_by=F("author")),
                name="documents_revision_approver_is_not_author",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["approved", "published", "retired"])
                | (Q(approved_by__isnull=False) & Q(approved_hash=F("content_hash"))),
                name="documents_revision_approved_hash",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["published", "retired"])
                | (Q(validity__isnull=False) & Q(validity__isempty=False) & Q(validity__lower_inf=False)),
                name="documents_revision_published_has_a_start",
            ),
            models.CheckConstraint(
                condition=Q(state="retired", retired_on__isnull=False)
                | (~Q(state="retired") & Q(retired_on__isnull=True)),
                name="documents_revision_retired_has_a_day",
            ),
            ExclusionConstraint(
                name="documents_revision_no_overlap_in_force",
                expressions=[("document", RangeOperators.EQUAL), ("in_force", RangeOperators.OVERLAPS)],
                condition=Q(state__in=["published", "retired"]),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="revision_text_is_immutable",
                operation=pgtrigger.Update,
                condition=text_changed() & ~pgtrigger.Q(old__state="draft"),
            ),
            pgtrigger.Protect(
                name="revision_is_kept",
                operation=pgtrigger.Delete,
                condition=~pgtrigger.Q(old__state="draft"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.document.code}@{self.label}"


class Section(models.Model):
    """`text[start:end]` with its heading line, `text[body_start:end]` without."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="sections")
    ordinal = models.PositiveIntegerField()
    level = models.PositiveSmallIntegerField()
    heading = models.TextField(blank=True)
    path = ArrayField(models.TextField(), default=list)
    anchor = models.CharField(max_length=200)
    start = models.PositiveIntegerField()
    body_start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["revision", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "ordinal"], name="documents_section_ordinal_once"),
            models.UniqueConstraint(fields=["revision", "anchor"], name="documents_section_anchor_once"),
        ]

    def __str__(self) -> str:
        return self.heading

    @property
    def span(self) -> SectionSpan:
        """The section as the rules take it."""
        return SectionSpan(
            self.heading, self.level, tuple(self.path), self.anchor, self.start, self.body_start, self.end
        )
