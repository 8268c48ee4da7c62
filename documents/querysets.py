"""The SQL twin of `documents.rules.eligibility`. Every list that a person sees starts from one of these methods."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.apps import apps
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Case, Exists, ExpressionWrapper, F, Min, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Lower

from documents.rules.audience import AREA_PREFIX, READ, UNIT_PREFIX
from documents.rules.lifecycle import ONCE_PUBLISHED
from documents.rules.types import Reader, Reason


def _granted(reader: Reader, prefix: str = "", among: ArraySubquery | None = None) -> Q:
    """Documents with a grant for this reader. Ids come from small subqueries over direct foreign keys."""
    user_grants = apps.get_model("documents", "DocumentUserGrant").objects.filter(permission__codename=READ)
    group_grants = apps.get_model("documents", "DocumentGroupGrant").objects.filter(permission__codename=READ)
    if among is not None:
        user_grants = user_grants.filter(content_object__pk__any=among)
        group_grants = group_grants.filter(content_object__pk__any=among)
    user_grants = user_grants.filter(user_id=reader.user_id)
    places = [f"{AREA_PREFIX}{slug}" for slug in reader.areas] + [f"{UNIT_PREFIX}{slug}" for slug in reader.units]
    named = group_grants.filter(group__name__in=sorted(reader.named_groups))
    wide = group_grants.filter(group__name__in=sorted(places))
    ids = f"{prefix}id__in"
    return (
        Q(**{ids: user_grants.values("content_object_id")})
        | Q(**{ids: named.values("content_object_id")})
        | Q(~Q(**{f"{prefix}classification": "restricted"}), **{ids: wide.values("content_object_id")})
    )


def _in_units(reader: Reader, prefix: str = "") -> Q:
    field = f"{prefix}scope_units"
    return Q(**{field: []}) | Q(**{f"{field}__overlap": sorted(reader.units)})


def _in_jurisdictions(reader: Reader, prefix: str = "") -> Q:
    field = f"{prefix}scope_jurisdictions"
    return Q(**{field: []}) | Q(**{f"{field}__overlap": sorted(reader.jurisdictions)})


class DocumentQuerySet(models.QuerySet[Any]):
    def readable_by(self, reader: Reader) -> DocumentQuerySet:
        """Documents that the person's half of the eligibility rule allows, in whatever state their revisions are."""
        if not reader.active:
            return self.none()
        allowed = _granted(reader) & _in_units(reader) & _in_jurisdictions(reader)
        return self.filter(Q(owner_id=reader.user_id) | allowed)

    def relations_of(self, code: str) -> models.QuerySet[Any]:
        """Relations of the document that lead only to documents among these: a relation names both of its ends."""
        known = self.order_by().values("pk")
        relations = apps.get_model("documents", "Relation").objects.filter(source__in=known, target__in=known)
        touching = relations.filter(Q(source__code=code) | Q(target__code=code))
        return touching.select_related("source", "target").order_by("pk")


class AudienceQuerySet(models.QuerySet[Any]):
    def keys_of(self, reader: Reader) -> models.QuerySet[Any]:
        """The audience keys that stand for this reader and that some document has: rows of one column."""
        if not reader.active:
            return self.none().values_list("pk")
        place = Q(areas__overlap=sorted(reader.areas)) | Q(units__overlap=sorted(reader.units))
        named = Q(people__contains=[reader.user_id]) | Q(groups__overlap=sorted(reader.named_groups))
        granted = named | (~Q(classification="restricted") & place)
        allowed = granted & _in_units(reader) & _in_jurisdictions(reader)
        used = Exists(apps.get_model("documents", "Document").objects.filter(audience_key=OuterRef("pk")))
        return self.filter(Q(owner=reader.user_id) | allowed, used).values_list("pk")


class RevisionQuerySet(models.QuerySet[Any]):
    def with_reason(
        self, reader: Reader, on: date | Lower, today: date, among: ArraySubquery | None = None
    ) -> RevisionQuerySet:
        """Annotate `reason`: a value of `Reason`, the same that `eligibility.decide` gives.

        `among` gives the ids of the documents of these revisions where they are few: a reader's grants are then
        looked up for those alone, where else they are all read.
        """
        if not reader.active:
            return self.annotate(reason=Value(Reason.NO_PERMISSION.value))
        not_owner = ~Q(document__owner_id=reader.user_id) | Q(document__owner_id=None)
        past = Q(in_force__endswith__lte=today)
        closed = Q(state="retired") | Q(document__history="role")
        asks_role = Q(in_force__contains=on) & past & closed
        if reader.reads_history:
            asks_role = Q(pk__in=[])
        rules: list[tuple[Q, Reason]] = [
            (not_owner & ~_granted(reader, "document__", among), Reason.NO_PERMISSION),
            (not_owner & ~_in_units(reader, "document__"), Reason.OUT_OF_SCOPE),
            (not_owner & ~_in_jurisdictions(reader, "document__"), Reason.OTHER_JURISDICTION),
            (Q(state="approved", validity__startswith__gt=on), Reason.NOT_YET_IN_FORCE),
            (~Q(state__in=ONCE_PUBLISHED), Reason.DRAFT),
            *_outside(~Q(in_force__contains=on), on),
            *_outside(asks_role, today),
            (Q(document__owner_id=None), Reason.NO_OWNER),
        ]
        whens = [When(condition, then=Value(reason.value)) for condition, reason in rules]
        return self._with_successor().annotate(
            reason=Case(*whens, default=Value(Reason.ELIGIBLE.value), output_field=models.CharField())
        )

    def eligible_for(self, reader: Reader, on: date | Lower, today: date) -> RevisionQuerySet:
        """Revisions that may be quoted to `reader` for the day `on`, when the day is `today`."""
        if not reader.active:
            return self.none()
        return self.with_reason(reader, on, today).filter(reason=Reason.ELIGIBLE.value)

    def quotable_by(self, reader: Reader, today: date) -> RevisionQuerySet:
        """Revisions that may be quoted to `reader` for some day: citations about the past lead here too.

        The day that a window begins decides for all of its days, because the rule asks the same of each.
        """
        return self.filter(in_force__isempty=False).eligible_for(reader, Lower("in_force"), today)

    def with_arrival(self) -> RevisionQuerySet:
        """Annotate `arrived`: False for what was published and of which the index has not yet said that it holds all.

        A write that was cut off in the middle may leave some passages of a text open to searches: until a whole one is
        acknowledged, nothing is answered from any of them.
        """
        arrived = ~Q(state__in=ONCE_PUBLISHED) | Q(published_at__isnull=False)
        return self.annotate(arrived=ExpressionWrapper(arrived, output_field=models.BooleanField()))

    def in_force(self, on: date) -> RevisionQuerySet:
        return self.filter(state__in=ONCE_PUBLISHED, in_force__contains=on)

    def _with_successor(self) -> RevisionQuerySet:
        later = (
            self.model._default_manager.filter(
                document=OuterRef("document"), state__in=ONCE_PUBLISHED, in_force__isempty=False
            )
            .filter(validity__startswith__gt=Lower(OuterRef("validity")))
            .order_by()
            .values("document")
            .annotate(first=Min(Lower("validity")))
            .values("first")
        )
        return self.annotate(successor_on=Subquery(later, output_field=models.DateField()))


def _outside(condition: Q, on: date | Lower) -> list[tuple[Q, Reason]]:
    return [
        (condition & Q(validity__startswith__gt=on), Reason.NOT_YET_IN_FORCE),
        (condition & Q(retired_on__lte=on), Reason.RETIRED),
        (condition & Q(successor_on__lte=on), Reason.SUPERSEDED),
        (condition, Reason.EXPIRED),
    ]


def overdue(now: datetime) -> Q:
    """Changes that agreed after they were due, and those that are due and do not agree yet."""
    return Q(agreed_at__gt=F("due_at")) | Q(agreed_at=None, due_at__lt=now)


class PropagationQuerySet(models.QuerySet[Any]):
    def late(self, now: datetime) -> PropagationQuerySet:
        return self.filter(overdue(now))
