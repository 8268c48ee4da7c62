"""One revision on a page: its text, where it stands in time, and what it has to do with other documents."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from documents.models import Document, Relation
from documents.rules.timeline import Bar, Timeline, timeline
from governance.permissions import readable_documents, readable_revisions
from governance.views.article import Article, article, quote_in, revision_quoted
from governance.views.held import Edition, Held, hold, page

FORWARD = {
    Relation.Kind.SUPERSEDES: _("Superseded by"),
    Relation.Kind.DERIVES_FROM: _("Origin of"),
    Relation.Kind.MERGES: _("Merged into"),
    Relation.Kind.WITHDRAWS: _("Withdrawn by"),
}
BACKWARD = {
    Relation.Kind.SUPERSEDES: _("Supersedes"),
    Relation.Kind.DERIVES_FROM: _("Derives from"),
    Relation.Kind.MERGES: _("Merges"),
    Relation.Kind.WITHDRAWS: _("Withdraws"),
}
REPLACING = frozenset({Relation.Kind.SUPERSEDES, Relation.Kind.MERGES, Relation.Kind.WITHDRAWS})


@dataclass(frozen=True, slots=True)
class Related:
    """A document at the other end of a relation; `replaces` says that it stands in for the one that is shown."""

    label: Promise
    document: Document
    reason: str
    replaces: bool


@dataclass(frozen=True, slots=True)
class Dated:
    """An edition with its place on the line of time and the one before it, to compare with."""

    edition: Edition
    bar: Bar | None
    before: Edition | None


@page
def document(request: HttpRequest, code: str) -> HttpResponse:
    """The revision in force; without one that the reader may read, what is known of the document."""
    held = hold(request, code)
    return _page(request, held, held.current)


@page
def revision(request: HttpRequest, code: str, label: str) -> HttpResponse:
    """One revision, whether in force or not."""
    held = hold(request, code)
    return _page(request, held, held.edition(label))


def _page(request: HttpRequest, held: Held, shown: Edition | None) -> HttpResponse:
    fragment = "fragmento" in request.GET
    span = request.GET.get("trecho", "")
    context: dict[str, object] = {"held": held, "document": held.document, "shown": shown}
    if shown is not None:
        context["article"] = _article(held, shown, span, outer=2 if fragment else 1)
    if fragment:
        return render(request, "documents/fragment.html", context)
    line, dated = _line(held)
    context |= {"line": line, "dated": dated, "related": _related(held), "quoted": _elsewhere(held, shown, span)}
    context["source_link"] = held.document.source_uri.startswith(("https://", "http://"))
    return render(request, "documents/revision.html", context)


def _article(held: Held, shown: Edition, span: str, *, outer: int) -> Article:
    """The text is asked for again by the rule: between two queries a permission may end."""
    readable = readable_revisions(held.reader, held.today).filter(pk=shown.revision.pk)
    found: tuple[str, list[dict[str, int]]] | None = readable.values_list("text", "pages").first()
    if found is None:
        raise Http404
    text, pages = found
    return article(shown.revision, text, pages, quote_in(span, shown.revision.pk, text), outer=outer)


def _elsewhere(held: Held, shown: Edition | None, span: str) -> Edition | None:
    """The edition that an old link's quote is in, when it is not the one that is shown."""
    quoted = revision_quoted(span)
    found = next((edition for edition in held.editions if edition.revision.pk == quoted), None)
    return None if found is shown else found


def _line(held: Held) -> tuple[Timeline, list[Dated]]:
    line = timeline([edition.window for edition in held.editions], held.today)
    pairs = zip(held.editions, line.bars, strict=True)
    return line, [Dated(edition, bar, held.before(edition)) for edition, bar in pairs]


def _related(held: Held) -> list[Related]:
    relations = readable_documents(held.reader).relations_of(held.document.code)
    return [_seen_from(held.document, relation) for relation in relations]


def _seen_from(here: Document, relation: Relation) -> Related:
    kind = Relation.Kind(relation.kind)
    if relation.source_id == here.pk:
        return Related(FORWARD[kind], relation.target, relation.reason, kind in REPLACING)
    return Related(BACKWARD[kind], relation.source, relation.reason, False)
