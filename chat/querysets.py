"""Who may open which record of evidence: the one place that says so."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.fields.json import KT

from documents.rules.types import Reader, Role


class EvidenceQuerySet(models.QuerySet[Any]):
    def open_to(self, reader: Reader) -> EvidenceQuerySet:
        """An auditor opens every record; everybody else the records of their own questions."""
        if not reader.active:
            return self.none()
        return self.all() if Role.AUDITOR in reader.roles else self.filter(reader_key=reader.key)

    def light(self) -> EvidenceQuerySet:
        """For lists: `asked_text` (the question without personal data) and `temporal`, without the rest of the body."""
        return self.defer("body").annotate(asked_text=KT("body__question"), temporal=KT("body__temporal"))
