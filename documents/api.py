"""Reading documents and revisions over HTTP: what a reader may be quoted. Hidden and missing are the same 404."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath
from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.viewsets import GenericViewSet

from documents.errors import DomainError
from documents.filters import DocumentFilter
from documents.models import Document, Relation, Revision
from documents.querysets import DocumentQuerySet, RevisionQuerySet
from documents.reader import reader_of
from documents.rules.types import Reader
from documents.serializers import DocumentDetailSerializer, DocumentSerializer, RevisionDetailSerializer


class OriginalDamaged(DomainError):
    """What lies in the store is not the file that was approved."""

    code = "original_damaged"
    status = 409
    message = _("The stored file is not the one that was approved. Tell the people in charge of the portal.")  # type: ignore[assignment]


class Sight(GenericViewSet):
    """What the caller may see. Governance widens it by what a person works on."""

    @cached_property
    def reader(self) -> Reader:
        return reader_of(self.request.user)  # type: ignore[arg-type]

    def readable_documents(self) -> DocumentQuerySet:
        return Document.objects.readable_by(self.reader)

    def readable_revisions(self) -> RevisionQuerySet:
        return Revision.objects.quotable_by(self.reader, timezone.localdate())


class DocumentViewSet(ListModelMixin, RetrieveModelMixin, Sight):
    queryset = Document.objects.all()
    serializer_class = DocumentSerializer
    filterset_class = DocumentFilter
    lookup_field = "code"
    lookup_value_regex = "[^/]+"

    def get_queryset(self) -> DocumentQuerySet:
        light = self.readable_revisions().select_related("author", "approved_by").defer("text", "pages", "warnings")
        in_force = Prefetch("revisions", light.in_force(timezone.localdate()), to_attr="current")
        documents = self.readable_documents().select_related("area", "owner").prefetch_related(in_force)
        if self.action != "retrieve":
            return documents
        return documents.prefetch_related(Prefetch("revisions", light.order_by("id"), to_attr="readable"))

    def get_serializer_class(self) -> type[DocumentSerializer]:
        return DocumentDetailSerializer if self.action == "retrieve" else DocumentSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        context = dict(super().get_serializer_context())
        if self.action == "retrieve" and "code" in self.kwargs:
            context["relations"] = self._relations(self.kwargs["code"])
        return context

    def _relations(self, code: str) -> list[Relation]:
        return list(self.readable_documents().relations_of(code))


class AnyType(JSONRenderer):
    """Lets a client ask for whatever type the original has; only its problems are rendered."""

    media_type = "*/*"


class RevisionViewSet(RetrieveModelMixin, Sight):
    queryset = Revision.objects.all()
    serializer_class = RevisionDetailSerializer
    lookup_url_kwarg = "id"
    lookup_value_regex = "[0-9]+"

    def get_queryset(self) -> RevisionQuerySet:
        return self.readable_revisions().select_related("document__area", "author", "approved_by")

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    @action(detail=True, renderer_classes=[AnyType])
    def original(self, request: Request, id: str) -> HttpResponse:
        """The file as it was handed in, byte by byte, as a download."""
        return download(self.get_object())


def download(revision: Revision) -> HttpResponse:
    """The original as an attachment: never shown in the portal's own origin. Raises `OriginalDamaged`."""
    if not revision.file:
        raise Http404
    try:
        with revision.file.open("rb") as file:
            data = file.read()
    except FileNotFoundError as error:
        raise OriginalDamaged from error
    if hashlib.sha256(data).hexdigest() != revision.content_hash:
        raise OriginalDamaged
    # The store may have put other letters into its own name for the file; the label may hold a slash.
    name = f"{revision.document.code}-{revision.label}{PurePosixPath(str(revision.file.name)).suffix}".replace("/", "-")
    return HttpResponse(
        data,
        content_type=revision.media_type or "application/octet-stream",
        headers={
            "Content-Disposition": content_disposition_header(True, name),
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, no-store",
        },
    )
