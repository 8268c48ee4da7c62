"""What a list of documents can be narrowed by."""

from __future__ import annotations

from datetime import date

import django_filters
from django.db.models import CharField, Func, Q
from django.utils.translation import gettext_lazy as _

from documents.models import Document
from documents.querysets import DocumentQuerySet, RevisionQuerySet

_SMALL, _BARE = "áàâãäéèêëíìîïóòôõöúùûüçñ", "aaaaaeeeeiiiiooooouuuucn"
ACCENTED, BARE = _SMALL + _SMALL.upper(), _BARE * 2

MOST_WORDS = 50
"""No title has more: a search for more finds nothing, and costs nothing."""


class Plain(Func):
    """A text in small letters without the accents of Portuguese, whatever the collation; needs no extension."""

    template = f"lower(translate(%(expressions)s, '{ACCENTED}', '{BARE}'))"
    output_field = CharField()


def plain(text: str) -> str:
    """The twin of `Plain` for what people type."""
    return text.translate(str.maketrans(ACCENTED, BARE)).lower()


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
        return documents.filter(pk__in=self.readable_revisions().in_force(on).order_by().values("document_id"))

    def readable_revisions(self) -> RevisionQuerySet:
        """What the reader of this list may read; a page that is no API view says it in its own way."""
        revisions: RevisionQuerySet = self.request.parser_context["view"].readable_revisions()
        return revisions

    def named(self, documents: DocumentQuerySet, name: str, words: str) -> DocumentQuerySet:
        """Every word is in the title or the code, whatever its case and accents."""
        wanted = dict.fromkeys(plain(words).split())
        if len(wanted) > MOST_WORDS:
            return documents.none()
        found = Q()
        for word in wanted:
            found &= Q(plain_title__contains=word) | Q(plain_code__contains=word)
        return documents.annotate(plain_title=Plain("title"), plain_code=Plain("code")).filter(found)
