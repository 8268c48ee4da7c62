"""Moves as admin actions: a page asks for the reason, then each row is its own call with its own line of result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents.errors import DomainError
from documents.models import Revision
from documents.rules.lifecycle import Action
from governance.actions import DATED, MOVES, approve
from governance.actions.publication import leaves_a_gap

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Act = Callable[[int, str, date | None], object]
AdminAction = Callable[[admin.ModelAdmin, HttpRequest, QuerySet], HttpResponse | None]

LABELS = {
    Action.SUBMIT: gettext_lazy("Submit for review"),
    Action.APPROVE: gettext_lazy("Approve"),
    Action.REJECT: gettext_lazy("Send back to draft"),
    Action.PUBLISH: gettext_lazy("Publish"),
    Action.RETIRE: gettext_lazy("Retire"),
    Action.RESTORE: gettext_lazy("Restore"),
}


def signed_in(request: HttpRequest) -> User:
    """The person behind a request of the admin, which lets nobody else in."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied
    return user


class DayInput(forms.DateInput):
    """The browser's own date picker, which works by keyboard and on a phone."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"), widget=forms.Textarea(attrs={"rows": 3}), strip=True, max_length=2000
    )


class DatedForm(ReasonForm):
    on = forms.DateField(
        label=gettext_lazy("From the day"),
        required=False,
        widget=DayInput,
        help_text=gettext_lazy("Empty: the day that the draft was given; for a retirement, today."),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """What the page shows of a row; `seen` comes back with the decision, so that it counts for what was shown."""

    pk: int
    title: str
    state: str
    seen: str = ""


def move(action: Action) -> AdminAction:
    """The admin action for a move of revisions; offered to those who may ever take it."""

    @admin.action(description=LABELS[action], permissions=[str(action)])
    def run(model_admin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        rows = [Row(r.pk, str(r), r.get_state_display(), r.content_hash) for r in queryset.select_related("document")]
        act = partial(_move, action, request)
        return confirmed(model_admin, request, rows, str(LABELS[action]), act, dated=action in DATED)

    run.__name__ = str(action)
    return run


def _move(action: Action, request: HttpRequest, pk: int, reason: str, on: date | None) -> Revision:
    return take(action, pk, actor=signed_in(request), reason=reason, on=on, seen=request.POST.get(f"seen_{pk}", ""))


def take(action: Action, pk: int, *, actor: User, reason: str, on: date | None, seen: str) -> Revision:
    """One move by its action; an approval counts for the content hash `seen` on the page, and for no other."""
    if action is Action.APPROVE:
        return approve(pk, actor=actor, reason=reason, on=on, seen_hash=seen)
    return MOVES[action](pk, actor=actor, reason=reason, on=on)


def gap_line(revision: Revision) -> str:
    """What to say after a retirement that leaves no text of the document in force; else nothing."""
    gap = leaves_a_gap(revision)
    if gap is None:
        return ""
    return _("No text of %(code)s is in force from %(day)s: questions about it find nothing.") % {
        "code": revision.document.code,
        "day": date_format(gap, "SHORT_DATE_FORMAT"),
    }


def decision(
    name: str, label: StrPromise, decide: Callable[..., object], *, permission: str, shown: Callable[[Any], Row]
) -> AdminAction:
    """The admin action that calls `decide` for each row, with the reason that a page asks for."""

    @admin.action(description=label, permissions=[permission])
    def run(model_admin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        def act(pk: int, reason: str, on: date | None) -> object:
            return decide(pk, actor=signed_in(request), reason=reason)

        return confirmed(model_admin, request, [shown(row) for row in queryset], str(label), act, dated=False)

    run.__name__ = name
    return run


def removal(remove: Callable[..., object], label: StrPromise) -> AdminAction:
    """The admin action that takes rows out."""
    return decision("remove", label, remove, permission="remove", shown=lambda row: Row(row.pk, str(row), ""))


def confirmed(
    model_admin: admin.ModelAdmin, request: HttpRequest, rows: list[Row], title: str, act: Act, *, dated: bool
) -> HttpResponse | None:
    """Ask for the reason on a page; once it is given, each row is its own call with its own line of result."""
    form_class = DatedForm if dated else ReasonForm
    form = form_class(request.POST if "confirmed" in request.POST else None)
    if form.is_valid():
        reason, on = form.cleaned_data["reason"], form.cleaned_data.get("on")
        for row in rows:
            for text, level in _outcome(row, title, partial(act, row.pk, reason, on)):
                model_admin.message_user(request, text, level)
        return None
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "opts": model_admin.model._meta,
        "media": model_admin.media + form.media,
        "rows": rows,
        "form": form,
        "action": request.POST["action"],
        "checkbox": ACTION_CHECKBOX_NAME,
    }
    return TemplateResponse(request, "admin/governance/confirm.html", context)


def _outcome(row: Row, title: str, act: Callable[[], object]) -> list[tuple[str, int]]:
    try:
        done = act()
    except DomainError as error:
        return [(f"{row.title}: {error.message}", messages.ERROR)]
    lines = [(f"{row.title}: {title} ✓", messages.SUCCESS)]
    if isinstance(done, Revision) and (gap := gap_line(done)):
        lines.append((gap, messages.WARNING))
    return lines
