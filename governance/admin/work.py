"""The page on which people decide about one revision: what it says, what it changes, and what they may do now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from documents.admin import person_of
from documents.errors import DomainError
from documents.extractors.words import warnings
from documents.models import Revision
from documents.rules.difference import Fate, SectionChange, difference
from documents.rules.lifecycle import AHEAD, Action
from documents.rules.types import Reader
from governance.actions.offers import Offer, offers
from governance.admin import effects
from governance.admin.texts import known_revision, sections_of
from governance.admin.words import sentence
from governance.admin_actions import LABELS, DatedForm, ReasonForm, gap_line, signed_in, take
from governance.permissions import SEES_ALL_METADATA, known_documents, may, readable_revisions
from governance.rules.checks import Check, checks
from governance.rules.moves import Duty
from governance.workbench import case_of, consequences, edition, history, in_force_now, rivals_of


@dataclass(frozen=True, slots=True)
class Move:
    """One move with its form, or the sentence that says why it is not possible."""

    offer: Offer
    label: Promise
    form: ReasonForm | None

    @property
    def action(self) -> Action:
        return self.offer.action


@dataclass(frozen=True, slots=True)
class Told:
    check: Check
    text: str


def work(request: HttpRequest, revision_id: int) -> HttpResponse:
    """The page; a POST names one move in `action` and takes it."""
    revision = known_revision(request, revision_id, whole=True)
    bound: ReasonForm | None = None
    if request.method == "POST":
        action = _action(request.POST.get("action", ""))
        bound = _form(action, revision, request.POST)
        if bound.is_valid():
            try:
                moved = take(
                    action,
                    revision.pk,
                    actor=signed_in(request),
                    reason=bound.cleaned_data["reason"],
                    on=bound.cleaned_data.get("on"),
                    seen=request.POST.get("seen", ""),
                )
            except DomainError as error:
                bound.add_error(None, str(error.message))
            else:
                said = _("%(revision)s: now %(state)s.")
                messages.success(request, said % {"revision": moved, "state": moved.get_state_display()})
                if gap := gap_line(moved):
                    messages.warning(request, gap)
                return HttpResponseRedirect(reverse("admin:documents_revision_work", args=[revision.pk]))
    return render(request, "admin/governance/work.html", _context(request, revision, bound))


def _context(request: HttpRequest, revision: Revision, bound: ReasonForm | None) -> dict[str, Any]:
    person, today = person_of(request), timezone.localdate()
    managed = may(person, revision.document, Duty.MANAGE)
    inside = managed or revision.author_id == person.user_id or bool(SEES_ALL_METADATA & person.roles)
    start = effects.start_of(request, revision)
    moves = [_shown(offer, revision, bound) for offer in offers(revision, person, today)]
    context: dict[str, Any] = {
        "title": str(revision),
        "crumbs": [{"url": reverse("admin:documents_revision_changelist"), "title": _("Revisions")}],
        "revision": revision,
        "document": revision.document,
        "moves": [move for move in moves if move.form is not None],
        "refused": [move for move in moves if move.form is None],
        "managed": managed,
        "inside": inside,
        "may_draft": may(person, revision.document, Duty.DRAFT),
        "history": history(revision) if inside else [],
        "checks": _checks(request, revision, start) if inside else [],
        **_text(person, revision, today),
    }
    if managed and revision.state in AHEAD:
        known = known_documents(signed_in(request), person)
        context |= effects.shown(request, revision, start) | {"consequences": consequences(revision, start, known)}
    return context


def _text(person: Reader, revision: Revision, today: date) -> dict[str, Any]:
    """What the revision says and what it says otherwise than the text in force: for those who may read them."""
    readable = set(
        readable_revisions(person, today).filter(document_id=revision.document_id).values_list("pk", flat=True)
    )
    if revision.pk not in readable:
        return {"readable": False}
    held = edition(revision)
    context: dict[str, Any] = {"readable": True, "sections": sections_of(held), "warnings": warnings(revision)}
    other = in_force_now(revision.document, today)
    if other is not None and other.pk != revision.pk and other.pk in readable:
        changes = difference(edition(other), held)
        context |= {
            "other": other,
            "changes": [change for change in changes if _changed(change)],
            "same": sum(not _changed(change) for change in changes),
        }
    return context


def _changed(change: SectionChange) -> bool:
    return change.fate is not Fate.SAME or change.moved or change.renamed


def _checks(request: HttpRequest, revision: Revision, start: date) -> list[Told]:
    rivals = rivals_of(revision.document, max(start, timezone.localdate()))
    known = (
        known_documents(signed_in(request), person_of(request)).filter(pk__in=[rival.pk for rival in rivals])
        if rivals
        else ()
    )
    given = start if revision.validity is not None else None
    return [Told(check, sentence(check)) for check in checks(case_of(revision, given, list(known)))]


def _shown(offer: Offer, revision: Revision, bound: ReasonForm | None) -> Move:
    if not offer.possible:
        return Move(offer, LABELS[offer.action], None)
    mine = bound is not None and bound.prefix == str(offer.action)
    return Move(offer, LABELS[offer.action], bound if mine else _form(offer.action, revision, None))


def _form(action: Action, revision: Revision, data: Any) -> ReasonForm:
    if action not in (Action.PUBLISH, Action.RETIRE):
        return ReasonForm(data, prefix=str(action))
    planned: date | None = revision.validity.lower if revision.validity and action is Action.PUBLISH else None
    form = DatedForm(data, prefix=str(action), initial={"on": planned})
    if action is Action.PUBLISH:
        form.fields["on"].help_text = _("The first day in force.")
        form.fields["on"].required = planned is None
    else:
        form.fields["on"].help_text = _("The first day out of force. Empty: today.")
    return form


def _action(name: str) -> Action:
    try:
        return Action(name)
    except ValueError as error:
        raise Http404 from error
