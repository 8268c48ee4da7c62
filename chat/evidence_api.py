"""Reading evidence over HTTP: an auditor all of it, a person their own; for everybody else it is not there."""

from __future__ import annotations

import django_filters
from django.utils.functional import cached_property
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from chat.models import EvidenceRecord
from chat.querysets import EvidenceQuerySet
from chat.rules.types import Status
from chat.serializers import AuditedEvidenceSerializer, EvidenceSerializer, OwnEvidenceSerializer
from documents.reader import reader_of
from documents.rules.types import Reader, Role


class EvidenceFilter(django_filters.FilterSet):
    """`document` is a code that an answer cites; `since` and `until` are days, both included."""

    status = django_filters.ChoiceFilter(choices=[(str(status), str(status)) for status in Status])
    document = django_filters.CharFilter(method="citing")
    since = django_filters.DateFilter("recorded_at", lookup_expr="date__gte")
    until = django_filters.DateFilter("recorded_at", lookup_expr="date__lte")

    class Meta:
        model = EvidenceRecord
        fields = ["status", "document", "since", "until"]

    def citing(self, records: EvidenceQuerySet, name: str, code: str) -> EvidenceQuerySet:
        return records.filter(documents__contains=[code])


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

    def get_queryset(self) -> EvidenceQuerySet:
        return EvidenceRecord.objects.open_to(self.reader)

    def get_serializer_class(self) -> type[BaseSerializer]:
        if self.action != "retrieve":
            return EvidenceSerializer
        return AuditedEvidenceSerializer if Role.AUDITOR in self.reader.roles else OwnEvidenceSerializer
