"""Evidence as JSON: the answer for whoever asked, everything behind it for auditors."""

from __future__ import annotations

from typing import Any

from django.utils.functional import cached_property
from rest_framework import serializers

from chat.askers import words_of
from chat.auditing.disclosure import Disclosure, disclosed
from chat.models import EvidenceRecord

SHOWN = (
    "standalone_question", "temporal", "missing", "claims", "conflict", "related", "versions", "usage", "timings_ms",
)  # fmt: skip


class EvidenceSerializer(serializers.ModelSerializer):
    # `EvidenceQuerySet.light` gives it to a list without the rest of the body.
    question = serializers.CharField(source="asked_text", help_text="Without personal data.")
    url = serializers.SerializerMethodField(help_text="The page for people.")

    class Meta:
        model = EvidenceRecord
        fields = ["id", "recorded_at", "status", "on", "question", "documents", "url"]

    def get_url(self, record: EvidenceRecord) -> str:
        return f"/evidencias/{record.id}/"


class _WholeEvidenceSerializer(EvidenceSerializer):
    """One record with its body, of which the reader of the request sees what is disclosed to them."""

    instance: EvidenceRecord
    question = serializers.CharField(source="body.question", help_text="Without personal data.")

    @cached_property
    def _disclosure(self) -> Disclosure:
        return disclosed(self.context["reader"], [self.instance])


class OwnEvidenceSerializer(_WholeEvidenceSerializer):
    """What the person was shown, in their own words while these are kept. What was excluded is not theirs to see.

    The words of a document that they may no longer read are null.
    """

    question = serializers.SerializerMethodField()  # type: ignore[assignment]
    answer = serializers.SerializerMethodField()

    class Meta(EvidenceSerializer.Meta):
        fields = [*EvidenceSerializer.Meta.fields, "answer"]

    def get_question(self, record: EvidenceRecord) -> str:
        return words_of(record)

    def get_answer(self, record: EvidenceRecord) -> dict[str, Any]:
        body = self._disclosure.body(record)
        return {name: body.get(name) for name in SHOWN}


class AuditedEvidenceSerializer(_WholeEvidenceSerializer):
    """`record` is the body that the hash covers; words of documents that the auditor may not read are null in it.

    `withheld` names these sources: where there are some, the hash can't be checked from here.
    """

    record = serializers.SerializerMethodField()
    withheld = serializers.SerializerMethodField()

    class Meta(EvidenceSerializer.Meta):
        fields = [
            *EvidenceSerializer.Meta.fields,
            "sequence",
            "reader_key",
            "previous_hash",
            "hash",
            "record",
            "withheld",
        ]

    def get_record(self, record: EvidenceRecord) -> dict[str, Any]:
        return self._disclosure.body(record)

    def get_withheld(self, record: EvidenceRecord) -> list[str]:
        return list(self._disclosure.withheld(record))
