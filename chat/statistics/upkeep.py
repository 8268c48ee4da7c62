"""What keeps the base right, in numbers: conflicts, owners, texts that end, how fast changes arrive, the chains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from chat.rules.chart import percentile
from chat.statistics.days import start_of
from chat.statistics.scope import Scope
from chat.statistics.tables import Cell, Section, Table
from chat.verification import standing
from documents.models import Revision
from documents.propagation import summary
from governance.ending import AHEAD, ending
from governance.models import OwnerTask

HOUR = 3600.0


def conflicts(scope: Scope, first: date) -> Section:
    """Pairs of texts that disagree and no rule decides between: those of the period, and those still open."""
    tasks = OwnerTask.objects.filter(kind=OwnerTask.Kind.CONFLICT).filter(
        Q(created_at__gte=start_of(first)) | Q(state=OwnerTask.State.OPEN)
    )
    rows: list[list[Cell]] = []
    for task in tasks.select_related("document", "other").order_by("state", "-created_at"):
        codes = [document.code for document in (task.document, task.other) if document is not None]
        if scope.whole or scope.documents.intersection(codes):
            end = task.done_at or timezone.now()
            rows.append(
                [
                    *(scope.name(code) for code in codes),
                    str(task.get_state_display()),
                    timezone.localdate(task.created_at),
                    (end - task.created_at).days,
                ]
            )
    return Section(
        "conflitos",
        _("Conflicts between texts"),
        Table([_("document"), _("other document"), _("state"), _("since"), _("days")], rows),
        _("No two texts disagreed without a rule in this period."),
    )


def responses(scope: Scope, first: date, names: Mapping[str, str]) -> Section:
    """How long tasks for owners take, by the area of their document."""
    tasks = OwnerTask.objects.filter(
        Q(created_at__gte=start_of(first)) | Q(done_at__gte=start_of(first)) | Q(state=OwnerTask.State.OPEN)
    )
    if scope.areas is not None:
        within = {"document__area__slug__in": scope.areas}
        tasks = tasks.filter(Q(**within) | Q(other__area__slug__in=scope.areas))
    opened: Counter[str] = Counter()
    waiting: Counter[str] = Counter()
    hours: dict[str, list[float]] = defaultdict(list)
    for area, begun, done in tasks.values_list("document__area__slug", "created_at", "done_at"):
        opened[area or ""] += 1
        waiting[area or ""] += done is None
        if done is not None and done >= start_of(first):
            hours[area or ""].append((done - begun).total_seconds() / HOUR)
    rows: list[list[Cell]] = [
        [
            area_name(area, names),
            opened[area],
            waiting[area],
            _rounded(percentile(hours[area], 0.5)),
            _rounded(percentile(hours[area], 0.95)),
        ]
        for area in sorted(opened, key=lambda area: (-waiting[area], area))
    ]
    return Section(
        "responsaveis",
        _("Owners' response"),
        Table(
            [_("area"), _("tasks"), pgettext("tasks", "open"), _("half within (hours)"), _("95% within (hours)")],
            rows,
            bar=2,
        ),
        _("No task for an owner in this period."),
    )


def expiring(scope: Scope, today: date) -> Section:
    """Texts that leave force soon, and whether another one follows them."""
    listed = ending(Revision.objects.filter(document__code__in=scope.documents), today, AHEAD)
    rows: list[list[Cell]] = [
        [
            row.document.code,
            row.label,
            row.document.area.name,
            row.in_force.upper,
            (row.in_force.upper - today).days,
            _("yes") if row.followed else _("no"),
        ]
        for row in listed.select_related("document__area").defer("text", "pages", "warnings")
    ]
    header = [_("document"), _("version"), _("area"), _("ends on"), _("days"), _("another one follows")]
    return Section(
        "vencendo",
        _("Texts that leave force within %(days)d days") % {"days": AHEAD.days},
        Table(header, rows),
        _("No text leaves force within %(days)d days.") % {"days": AHEAD.days},
    )


def propagation(first: date) -> Section:
    """How long a change takes from its commit until answers are made from it, by day, class of risk and layer."""
    layers = {"index": _("index"), "copies": _("copies of the index"), "caches": _("caches")}
    risks = {"high": _("high"), "normal": _("normal"), "low": _("low")}
    rows: list[list[Cell]] = [
        [
            one.day,
            risks[one.risk],
            layers.get(one.layer, one.layer),
            one.count,
            one.open,
            one.late,
            _rounded(one.p50),
            _rounded(one.p95),
        ]
        for one in summary(start_of(first))
    ]
    header = [
        _("day"), _("risk"), _("layer"), _("changes"), _("on their way"), _("late"), _("half within (s)"),
        _("95% within (s)"),
    ]  # fmt: skip
    return Section(
        "propagacao", _("How fast changes arrive"), Table(header, rows, bar=7), _("Nothing was changed in this period.")
    )


def chains() -> Section:
    """Whether what was recorded stands as it was written, by the last walk along each chain."""
    rows: list[list[Cell]] = [
        [
            str(one.chain.label),
            _("chain holds") if one.holds else _("chain broken"),
            timezone.localdate(one.last.finished_at),
            one.last.reached,
            one.last.broken,
            one.unseen,
        ]
        for one in standing().chains
        if one.last is not None
    ]
    header = [
        _("chain"), pgettext("of a verification", "result"), _("verified on"), _("up to nº"), _("breaks"),
        _("written since"),
    ]  # fmt: skip
    return Section(
        "cadeias", _("Was anything changed afterwards?"), Table(header, rows), _("No chain was verified yet.")
    )


def area_name(slug: str, names: Mapping[str, str]) -> str:
    return names.get(slug, slug) or _("no area")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
