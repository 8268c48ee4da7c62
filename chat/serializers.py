"""Evidence as JSON: the answer for whoever asked, everything behind it for auditors."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.auditing.disclosure import disclosed
from chat.models import EvidenceQuestion, EvidenceRecord

SHOWN = (
    "standalone_question", "temporal", "missing", "claims", "conflict", "related", "versions", "usage", "timings_ms",
)  # fmt: skip


class EvidenceSerializer(serializers.ModelSerializer):
    question = serializers.CharField(source="body.question", help_text="Without personal data.")
    url = serializers.SerializerMethodField(help_text="The page for people.")

    class Meta:
        model = EvidenceRecord
        fields = ["id", "recorded_at", "status", "on", "question", "documents", "url"]

    def get_url(self, record: EvidenceRecord) -> str:
        return f"/evidencias/{record.id}/"


class OwnEvidenceSerializer(EvidenceSerializer):
    """What the person was shown, in their own words while these are kept. What was excluded is not theirs to see.

    The words of a document that they may no longer read are null.
    """

    question = serializers.SerializerMethodField()  # type: ignore[assignment]
    answer = serializers.SerializerMethodField()

    class Meta(EvidenceSerializer.Meta):
        fields = [*EvidenceSerializer.Meta.fields, "answer"]

    def get_question(self, record: EvidenceRecord) -> str:
        asked = EvidenceQuestion.objects.filter(record=record).first()
        return asked.question if asked else str(record.body["question"])

    def get_answer(self, record: EvidenceRecord) -> dict[str, Any]:
        body = disclosed(self.context["reader"], [record]).body(record)
        return {name: body.get(name) for name in SHOWN}


class AuditedEvidenceSerializer(EvidenceSerializer):
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
        return disclosed(self.context["reader"], [record]).body(record)

    def get_withheld(self, record: EvidenceRecord) -> list[str]:
        return list(disclosed(self.context["reader"], [record]).withheld(record))
