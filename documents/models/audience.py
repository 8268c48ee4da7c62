"""Who stands behind an audience key, so that the keys of a reader are found without looking at every document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from documents.querysets import AudienceQuerySet
from documents.rules.audience import audience_key
from documents.rules.types import Facts


class Audience(models.Model):
    """A distinct set of readers, scope and classification. `key` is the hash of the rest, so a row never changes; one
    that no document has any more stands for nothing.
    """

    key = models.CharField(max_length=64, primary_key=True)
    owner = models.IntegerField(null=True)
    classification = models.CharField(max_length=12)
    people = ArrayField(models.IntegerField())
    groups = ArrayField(models.TextField())
    areas = ArrayField(models.TextField())
    units = ArrayField(models.TextField())
    scope_units = ArrayField(models.TextField())
    scope_jurisdictions = ArrayField(models.TextField())

    objects: ClassVar[AudienceQuerySet] = AudienceQuerySet.as_manager()  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.key

    @classmethod
    def of(cls, facts: Facts) -> Audience:
        return cls(
            key=audience_key(facts),
            owner=facts.owner_id,
            classification=facts.classification,
            people=sorted(facts.user_grants),
            groups=sorted(facts.group_grants),
            areas=sorted(facts.area_grants),
            units=sorted(facts.unit_grants),
            scope_units=sorted(facts.scope_units),
            scope_jurisdictions=sorted(facts.scope_jurisdictions),
        )

    @property
    def said(self) -> tuple[object, ...]:
        """What the key is the hash of, in no order of its own: a row that was changed says something else."""
        places = self.areas, self.units, self.scope_units, self.scope_jurisdictions
        lists: tuple[Iterable[object], ...] = (self.people, self.groups, *places)
        return self.owner, self.classification, *(frozenset(one) for one in lists)
