"""The list of what the reader may read: searched, narrowed, counted, fifty to a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.core.paginator import Page, Paginator
from django.db.models import Count, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from documents.filters import DocumentFilter
from documents.models import Document
from documents.querysets import DocumentQuerySet, RevisionQuerySet
from documents.rules.types import Reader
from governance.permissions import readable_documents, readable_revisions
from governance.views.held import page, reader_behind

ON_A_PAGE = 50
FACETS = {"area": _("Area"), "kind": _("Kind"), "authority": _("Authority")}
NAMES: Mapping[str, Mapping[str, str | Promise]] = {
    "kind": {str(kind): kind.label for kind in Document.Kind},
    "authority": {
        str(Document.Authority.OFFICIAL): _("official"),
        str(Document.Authority.UNOFFICIAL): _("wiki, not official"),
        str(Document.Authority.ONE_OFF): _("one-off decision, not a policy"),
    },
}
ORDERINGS = {"title": _("title"), "code": _("code"), "area": _("area"), "kind": _("kind")}


class ShelfFilter(DocumentFilter):
    def __init__(self, data: Mapping[str, str], queryset: DocumentQuerySet, reader: Reader) -> None:
        super().__init__(data, queryset)
        self.reader = reader

    def readable_revisions(self) -> RevisionQuerySet:
        return readable_revisions(self.reader)


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    label: str | Promise
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """One way to narrow the list; the counts are of what the other ways leave."""

    name: str
    label: str | Promise
    choices: Sequence[Choice]

    @property
    def chosen(self) -> Choice | None:
        return next((choice for choice in self.choices if choice.chosen), None)


@dataclass(frozen=True, slots=True)
class Kinds:
    """How many documents have one value of each facet; `names` are what people call the areas."""

    counted: Counter[tuple[str, str, str]]
    names: Mapping[str, str]

    def matching(self, asked: Mapping[str, str], but: str = "") -> Counter[tuple[str, str, str]]:
        wanted = [asked.get(name, "") if name != but else "" for name in FACETS]
        return Counter({key: number for key, number in self.counted.items() if _fits(wanted, key)})


def _fits(wanted: Sequence[str], key: Sequence[str]) -> bool:
    return all(value in ("", has) for value, has in zip(wanted, key, strict=True))


@page
def documents(request: HttpRequest) -> HttpResponse:
    """`q`, `area`, `kind`, `authority`, `in_force_on`, `ordering`, `page`. What cannot be read lists nothing."""
    reader = reader_behind(request)
    given = {name: request.GET.get(name, "").replace("\0", "").strip() for name in (*FACETS, "in_force_on", "ordering")}
    asked = {**given, "search": request.GET.get("q", "").replace("\0", "").strip()}
    narrowed = ShelfFilter(asked, readable_documents(reader), reader)
    valid = narrowed.is_valid()
    counted = {name: asked[name] for name in ("search", "in_force_on") if name not in narrowed.form.errors}
    kinds = _named(_kinds(ShelfFilter(counted, readable_documents(reader), reader)), asked, reader)
    on = narrowed.form.cleaned_data.get("in_force_on")
    rows = _rows(narrowed.qs, reader, on or timezone.localdate(), asked["ordering"])
    context: dict[str, object] = {
        "asked": asked,
        "orderings": ORDERINGS,
        "errors": narrowed.form.errors,
        "page": _paged(rows, kinds.matching(asked).total() if valid else 0, request.GET.get("page")),
        "facets": [_facet(name, kinds, asked) for name in FACETS],
        "on": on,
        "narrowed": any(asked[name] for name in (*FACETS, "in_force_on", "search")),
    }
    return render(request, "documents/list.html", context, status=200 if valid else 422)


def _rows(found: DocumentQuerySet, reader: Reader, on: date, ordering: str) -> DocumentQuerySet:
    light = readable_revisions(reader).defer("text", "pages", "warnings")
    current = Prefetch("revisions", light.in_force(on), to_attr="current")
    first = [*found.query.order_by] if ordering else ["title"]
    return found.order_by(*first, "title", "code").select_related("area", "owner").prefetch_related(current)


def _kinds(narrowed: ShelfFilter) -> Kinds:
    rows = narrowed.qs.order_by().values_list("area__slug", "kind", "authority", "area__name").annotate(Count("pk"))
    counted: Counter[tuple[str, str, str]] = Counter()
    names: dict[str, str] = {}
    for area, kind, authority, name, count in rows:
        counted[area, kind, authority] += count
        names[area] = name
    return Kinds(counted, names)


def _named(kinds: Kinds, asked: Mapping[str, str], reader: Reader) -> Kinds:
    """With the name of an area that was asked for and in which the search found nothing."""
    slug = asked["area"]
    if not slug or slug in kinds.names:
        return kinds
    known = readable_documents(reader).filter(area__slug=slug).order_by().values_list("area__name", flat=True).first()
    return replace(kinds, names={**kinds.names, slug: known}) if known else kinds


def _facet(name: str, kinds: Kinds, asked: Mapping[str, str]) -> Facet:
    place = list(FACETS).index(name)
    counts: Counter[str] = Counter()
    for key, number in kinds.matching(asked, but=name).items():
        counts[key[place]] += number
    labels: Mapping[str, str | Promise] = NAMES.get(name, kinds.names)
    values = [*labels] if name in NAMES else sorted(kinds.names, key=lambda area: kinds.names[area].casefold())
    chosen = asked[name]
    if chosen and chosen not in values:
        values.append(chosen)
    choices = [Choice(value, labels.get(value, value), counts[value], value == chosen) for value in values]
    return Facet(name, FACETS[name], [choice for choice in choices if choice.count or choice.chosen])


def _paged(rows: DocumentQuerySet, count: int, number: str | None) -> Page[Document]:
    paginator = Paginator(rows, ON_A_PAGE)
    paginator.count = count  # the facets have counted them
    return paginator.get_page(number)
