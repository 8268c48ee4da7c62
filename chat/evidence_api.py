"""Reading evidence over HTTP: an auditor all of it, a person their own; for everybody else it is not there."""

from __future__ import annotations

from typing import Any

from django.utils.functional import cached_property
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from chat.auditing.filters import EvidenceFilter
from chat.models import EvidenceRecord
from chat.querysets import EvidenceQuerySet
from chat.serializers import AuditedEvidenceSerializer, EvidenceSerializer, OwnEvidenceSerializer
from documents.reader import reader_of
from documents.rules.types import Reader, Role

DETAIL = PolymorphicProxySerializer(
    "EvidenceDetail", [OwnEvidenceSerializer, AuditedEvidenceSerializer], resource_type_field_name=None
)


@extend_schema_view(retrieve=extend_schema(responses=DETAIL))
class EvidenceViewSet(ListModelMixin, RetrieveModelMixin, GenericViewSet):
    queryset = EvidenceRecord.objects.all()
    serializer_class = EvidenceSerializer
    filterset_class = EvidenceFilter
    lookup_field = "id"
    lookup_value_regex = "[0-9a-fA-F-]{32,36}"

    @cached_property
    def reader(self) -> Reader:
        return reader_of(self.request.user)  # type: ignore[arg-type]

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "reader": self.reader}

    def get_queryset(self) -> EvidenceQuerySet:
        records = EvidenceRecord.objects.open_to(self.reader)
        return records if self.action == "retrieve" else records.light()

    def get_serializer_class(self) -> type[BaseSerializer]:
        if self.action != "retrieve":
            return EvidenceSerializer
        return AuditedEvidenceSerializer if Role.AUDITOR in self.reader.roles else OwnEvidenceSerializer
