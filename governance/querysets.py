"""Rows of governance as the rules want them."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import models
from django.db.models import F, Q

from documents.rules.types import Reader, Window
from governance.rules.precedence import PrecedenceFact, PrecedenceKind


class PrecedenceQuerySet(models.QuerySet[Any]):
    def in_force(self, on: date) -> PrecedenceQuerySet:
        return self.filter(validity__contains=on)

    def facts(self) -> tuple[PrecedenceFact, ...]:
        """All rules of the queryset as facts for `governance.rules.precedence.decide`, in one query."""
        rows = self.order_by("id").annotate(prevails_code=F("prevails__code"), over_code=F("over__code"))
        return tuple(
            PrecedenceFact(
                id=row.pk,
                prevails=row.prevails_code,
                over=row.over_code,
                kind=PrecedenceKind(row.kind),
                validity=Window(row.validity.lower, row.validity.upper),
                except_units=frozenset(row.except_units),
                except_jurisdictions=frozenset(row.except_jurisdictions),
            )
            for row in rows
        )


class OwnerTaskQuerySet(models.QuerySet[Any]):
    def of(self, person: Reader, areas: frozenset[str]) -> OwnerTaskQuerySet:
        """Tasks for this person: given to them, about a document of theirs, or of an area in `areas`."""
        mine = Q(owner_id=person.user_id)
        for side in ("document", "other"):
            mine |= Q(**{f"{side}__owner_id": person.user_id}) | Q(**{f"{side}__area__slug__in": sorted(areas)})
        return self.filter(mine)
