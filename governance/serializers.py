"""What the people in charge of a text see beside it, and what they send to move it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from documents.extractors.words import warnings
from documents.models import Revision
from documents.serializers import RevisionDetailSerializer, RevisionSerializer
from governance.permissions import actions_open_to, may
from governance.rules.moves import Duty


class ActionsField(serializers.ListField):
    """What this person may do with the revision as it stands now."""

    child = serializers.CharField()

    def get_attribute(self, revision: Revision) -> list[str]:
        return [str(action) for action in actions_open_to(self.context["reader"], revision)]


class MovedRevisionSerializer(RevisionSerializer):
    actions = ActionsField(read_only=True)

    class Meta(RevisionSerializer.Meta):
        fields = [*RevisionSerializer.Meta.fields, "actions"]


class WorkedRevisionSerializer(RevisionDetailSerializer):
    """`warnings` of the extraction are for the people in charge; others get an empty list."""

    actions = ActionsField(read_only=True)
    warnings = serializers.SerializerMethodField()

    class Meta(RevisionDetailSerializer.Meta):
        fields = [*RevisionDetailSerializer.Meta.fields, "actions", "warnings"]

    def get_warnings(self, revision: Revision) -> list[str]:
        reader = self.context["reader"]
        in_charge = revision.author_id == reader.user_id or may(reader, revision.document, Duty.MANAGE)
        return [said.text for said in warnings(revision)] if in_charge else []


class MoveSerializer(serializers.Serializer):
    """`from` is the first day in force (publish) or the first day out of force (retire)."""

    reason = serializers.CharField(allow_blank=True, help_text="Stays in the audit trail.")
    seen_hash = serializers.CharField(
        required=False, help_text="Approve only: the `content_hash` that the approver read. Another one is refused."
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        day = serializers.DateField(required=False, allow_null=True, source="on")
        return {**super().get_fields(), "from": day}  # a keyword as a name

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields) - {"csrfmiddlewaretoken"})):
            raise serializers.ValidationError(
                {str(name): serializers.ErrorDetail("unknown", code="unknown") for name in unknown}
            )
        return super().to_internal_value(data)
