"""Objections of readers with what their evidence records say, for `evaluation.rules.candidates`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from chat.models import EvidenceRecord, Feedback
from evaluation.rules.candidates import Objection


def objections(since: date | None = None) -> Iterator[Objection]:
    """Oldest first, since the beginning of that day. The questions are those of the records: without personal data."""
    given = Feedback.objects.order_by("pk")
    if since is not None:
        given = given.filter(created_at__date__gte=since)
    for item in given.iterator(500):
        record = EvidenceRecord.objects.filter(id=item.evidence_id).only("body", "on").first()
        if record is not None:
            yield _objection(item, record)


def _objection(item: Feedback, record: EvidenceRecord) -> Objection:
    body: dict[str, Any] = record.body
    cited = body["claims"][item.claim - 1]["citations"] if item.claim else []
    return Objection(
        id=item.pk,
        kind=item.kind,
        question=body["standalone_question"],
        on=record.on if body["temporal"] != "current" else None,
        document=cited[0]["document"] if cited else None,
    )
