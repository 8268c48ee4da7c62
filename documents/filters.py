"""What a list of documents can be narrowed by."""

from __future__ import annotations

from datetime import date

import django_filters
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from documents.models import Document
from documents.querysets import DocumentQuerySet


class DocumentFilter(django_filters.FilterSet):
    area = django_filters.CharFilter("area__slug")
    in_force_on = django_filters.DateFilter(method="with_a_revision_in_force", label=_("in force on"))
    search = django_filters.CharFilter(method="named", label=_("in the title or the code"))
    ordering = django_filters.OrderingFilter(fields=["code", "title", "kind", ("area__name", "area")])

    class Meta:
        model = Document
        fields = ["area", "kind", "authority", "in_force_on", "search"]

    def with_a_revision_in_force(self, documents: DocumentQuerySet, name: str, on: date) -> DocumentQuerySet:
        """Only revisions that this reader may read count: a list tells no more than a page would."""
        revisions = self.request.parser_context["view"].readable_revisions().in_force(on)
        return documents.filter(pk__in=revisions.order_by().values("document_id"))

    def named(self, documents: DocumentQuerySet, name: str, words: str) -> DocumentQuerySet:
        for word in words.split():
            documents = documents.filter(Q(title__icontains=word) | Q(code__icontains=word))
        return documents
