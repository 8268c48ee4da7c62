"""What a list of records can be narrowed by, for the page, the export and the API alike."""

from __future__ import annotations

from uuid import UUID

import django_filters
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.auditing import words
from chat.models import EvidenceRecord
from chat.querysets import EvidenceQuerySet
from chat.rules.types import Status
from documents.models import ReaderIdentity

REASONS = {**words.REASON, **words.WHY_NOT, **words.REFUSED}


class EvidenceFilter(django_filters.FilterSet):
    """`document` is a code that an answer cites; `since` and `until` are days, both included.

    `person` is the key of a reader, or a username, which is looked up and shown nowhere. `reason` is why a candidate
    fell, why a claim was refused or why there is no answer.
    """

    since = django_filters.DateFilter("recorded_at", lookup_expr="date__gte", label=_("From"))
    until = django_filters.DateFilter("recorded_at", lookup_expr="date__lte", label=_("To"))
    status = django_filters.ChoiceFilter(
        choices=[(str(status), words.STATUS[status]) for status in Status], empty_label=_("Any"), label=_("Status")
    )
    document = django_filters.CharFilter(method="citing", label=_("Document cited"))
    person = django_filters.CharFilter(method="asked_by", label=_("Person"))
    reason = django_filters.ChoiceFilter(
        choices=[(code, text) for code, text in REASONS.items() if code not in ("eligible", "gone", "not_sent")],
        method="because",
        empty_label=_("Any"),
        label=_("Reason"),
    )

    class Meta:
        model = EvidenceRecord
        fields = ["since", "until", "status", "document", "person", "reason"]

    def citing(self, records: EvidenceQuerySet, name: str, code: str) -> EvidenceQuerySet:
        return records.filter(documents__contains=[code.replace("\0", "")])

    def asked_by(self, records: EvidenceQuerySet, name: str, person: str) -> EvidenceQuerySet:
        try:
            return records.filter(reader_key=UUID(person))
        except ValueError:
            known = ReaderIdentity.objects.filter(user__username=person.replace("\0", ""))
            return records.filter(reader_key__in=known.values("key"))

    def because(self, records: EvidenceQuerySet, name: str, code: str) -> EvidenceQuerySet:
        holds = [{"reason": code}]
        return records.filter(
            Q(body__missing=code) | Q(body__candidates__contains=holds) | Q(body__refused__contains=holds)
        )
