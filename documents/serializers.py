"""Documents and revisions as JSON. What a person may see of them is decided by whoever hands the rows over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from django.contrib.auth.models import AbstractUser
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from documents.models import Area, Document, Relation, Revision, Section
from documents.rules.lifecycle import ONCE_PUBLISHED

TIMES = ("source", "approved", "extracted", "published")


class Time(TypedDict):
    at: str | None
    certainty: str


class AreaSerializer(serializers.ModelSerializer):
    class Meta:
        model = Area
        fields = ["slug", "name"]


@extend_schema_field(OpenApiTypes.STR)
class PersonField(serializers.Field):
    """The name that people call somebody by, else the username. Read only."""

    def to_representation(self, value: AbstractUser) -> str:
        return value.get_full_name() or value.get_username()


class ScopeSerializer(serializers.Serializer):
    """Where the document holds; an empty list is everywhere."""

    units = serializers.ListField(child=serializers.CharField(), source="scope_units")
    jurisdictions = serializers.ListField(child=serializers.CharField(), source="scope_jurisdictions")
    products = serializers.ListField(child=serializers.CharField(), source="scope_products")


class RevisionSerializer(serializers.ModelSerializer):
    """`valid_until` is the first day on which it no longer counts; both ends follow from validity and retirement."""

    document = serializers.CharField(source="document.code")
    valid_from = serializers.DateField(source="in_force.lower", default=None)
    valid_until = serializers.DateField(source="in_force.upper", default=None)
    in_force = serializers.SerializerMethodField(help_text="Whether it is in force today.")
    author = PersonField(read_only=True, allow_null=True)
    approved_by = PersonField(read_only=True, allow_null=True)
    has_original = serializers.BooleanField(source="file")
    url = serializers.SerializerMethodField(help_text="The page for people.")

    class Meta:
        model = Revision
        fields = [
            "id", "document", "label", "state", "valid_from", "valid_until", "in_force", "retired_on", "author",
            "approved_by", "media_type", "content_hash", "text_hash", "has_original", "url",
        ]  # fmt: skip

    def get_in_force(self, revision: Revision) -> bool:
        window = revision.in_force
        return revision.state in ONCE_PUBLISHED and bool(window) and timezone.localdate() in window

    def get_url(self, revision: Revision) -> str:
        return f"/documentos/{revision.document.code}/{revision.label}/"


class SectionSerializer(serializers.ModelSerializer):
    """`start`, `body_start` and `end` are offsets in the revision's text; `text` is the section without its heading."""

    page = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()

    class Meta:
        model = Section
        fields = ["ordinal", "level", "heading", "path", "anchor", "page", "start", "body_start", "end", "text"]

    def get_page(self, section: Section) -> int | None:
        pages = section.revision.pages
        after = bisect_right(pages, section.start, key=lambda page: page["start"])
        return pages[after - 1]["number"] if after else None

    def get_text(self, section: Section) -> str:
        return section.revision.text[section.body_start : section.end]


class RevisionDetailSerializer(RevisionSerializer):
    title = serializers.CharField(source="document.title")
    times = serializers.SerializerMethodField(help_text="When each thing happened, and how that is known.")
    recorded_at = serializers.DateTimeField(source="created_at")
    sections = serializers.SerializerMethodField()

    class Meta(RevisionSerializer.Meta):
        fields = [*RevisionSerializer.Meta.fields, "title", "times", "recorded_at", "sections"]

    def get_times(self, revision: Revision) -> dict[str, Time]:
        moments = serializers.DateTimeField(allow_null=True)
        return {
            name: {
                "at": moments.to_representation(at) if (at := getattr(revision, f"{name}_at")) else None,
                "certainty": getattr(revision, f"{name}_certainty"),
            }
            for name in TIMES
        }

    @extend_schema_field(SectionSerializer(many=True))
    def get_sections(self, revision: Revision) -> Sequence[Any]:
        sections = list(revision.sections.all())
        for section in sections:
            section.revision = revision
        return list(SectionSerializer(sections, many=True).data)


class DocumentSerializer(serializers.ModelSerializer):
    """`revision` is the one in force today, where there is one that this reader may read."""

    area = AreaSerializer()
    owner = PersonField(read_only=True, allow_null=True)
    scope = ScopeSerializer(source="*")
    revision = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField(help_text="The page for people.")

    class Meta:
        model = Document
        fields = [
            "code", "title", "kind", "area", "owner", "authority", "classification", "scope", "subjects", "risk",
            "revision", "url",
        ]  # fmt: skip

    @extend_schema_field(RevisionSerializer(allow_null=True))
    def get_revision(self, document: Document) -> Mapping[str, Any] | None:
        current = _rows_of(document, "current")
        return RevisionSerializer(current[0]).data if current else None

    def get_url(self, document: Document) -> str:
        return f"/documentos/{document.code}/"


def _rows_of(document: Document, prefetched: str) -> list[Revision]:
    """Revisions that the view has fetched for each document, pointing back at it."""
    rows: list[Revision] = getattr(document, prefetched)
    for row in rows:
        row.document = document
    return rows


class NamedDocumentSerializer(serializers.ModelSerializer):
    class Meta:
        model = Document
        fields = ["code", "title"]


class RelationSerializer(serializers.ModelSerializer):
    """Read from old to new: `from` is superseded by, merged into, withdrawn by, or the origin of `to`."""

    to = NamedDocumentSerializer(source="target")

    class Meta:
        model = Relation
        fields = ["kind", "to", "reason"]

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": NamedDocumentSerializer(source="source")}  # a keyword as a name


class DocumentDetailSerializer(DocumentSerializer):
    """`revisions` are those that this reader may read, oldest first; relations lead only to documents they may know."""

    revisions = serializers.SerializerMethodField()
    relations = serializers.SerializerMethodField()

    class Meta(DocumentSerializer.Meta):
        fields = [*DocumentSerializer.Meta.fields, "revisions", "relations"]

    @extend_schema_field(RevisionSerializer(many=True))
    def get_revisions(self, document: Document) -> Sequence[Any]:
        return list(RevisionSerializer(_rows_of(document, "readable"), many=True).data)

    @extend_schema_field(RelationSerializer(many=True))
    def get_relations(self, document: Document) -> Sequence[Any]:
        return list(RelationSerializer(self.context["relations"], many=True).data)
