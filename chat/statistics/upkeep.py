"""What keeps the base right, in numbers: objections, conflicts, owners, texts that end, how fast changes arrive."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.models import EvidenceRecord, Feedback
from chat.rules.chart import percentile
from chat.statistics.days import start_of
from chat.statistics.scope import Scope
from chat.statistics.tables import Cell, Section, Table
from documents.models import Revision
from documents.propagation import summary
from governance.models import OwnerTask

AHEAD = 90
"""Days ahead in which a text that ends is told."""
HOUR = 3600.0


def objections(scope: Scope, first: date) -> Section:
    """What readers said is wrong, by document and kind. Of an answer with several sources each is told."""
    given = list(Feedback.objects.filter(created_at__gte=start_of(first)).values_list("evidence_id", "kind"))
    cited = dict(
        EvidenceRecord.objects.filter(id__in={evidence for evidence, _kind in given}).values_list("id", "documents")
    )
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for evidence, kind in given:
        for code in cited.get(evidence) or [""]:
            if scope.whole or code in scope.documents:
                counts[_named(code, scope)][kind] += 1
    kinds = list(Feedback.Kind)
    rows: list[list[Cell]] = [
        [code, *(told[kind] for kind in kinds), told.total()]
        for code, told in sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    ]
    return Section(
        "objecoes",
        _("What readers objected to"),
        Table([_("document"), *(str(kind.label) for kind in kinds), _("all")], rows, bar=len(kinds) + 1),
        _("No reader objected to an answer in this period."),
    )


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
                    *(_named(code, scope) for code in codes),
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
        Table([_("area"), _("tasks"), _("open"), _("half within (hours)"), _("95% within (hours)")], rows, bar=2),
        _("No task for an owner in this period."),
    )


def expiring(scope: Scope, today: date) -> Section:
    """Texts whose validity ends soon, and whether another one follows them."""
    ending = (
        Revision.objects.filter(
            state=Revision.State.PUBLISHED,
            in_force__contains=today,
            in_force__endswith__lte=today + timedelta(days=AHEAD),
            document__code__in=scope.documents,
        )
        .select_related("document__area", "document__owner")
        .defer("text", "pages", "warnings")
        .order_by("in_force__endswith", "document__code")
    )
    listed = list(ending)
    followed = {
        (later.document_id, later.validity.lower)
        for later in Revision.objects.filter(
            document_id__in={row.document_id for row in listed}, state__in=["published", "approved"]
        ).only("document_id", "validity")
        if later.validity is not None
    }
    rows: list[list[Cell]] = [
        [
            row.document.code,
            row.label,
            row.document.area.name,
            row.in_force.upper,
            (row.in_force.upper - today).days,
            _("yes") if (row.document_id, row.in_force.upper) in followed else _("no"),
        ]
        for row in listed
    ]
    header = [_("document"), _("version"), _("area"), _("ends on"), _("days"), _("another one follows")]
    return Section(
        "vencendo",
        _("Texts that end within 90 days"),
        Table(header, rows),
        _("No text ends within 90 days."),
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


def area_name(slug: str, names: Mapping[str, str]) -> str:
    return names.get(slug, slug) or _("no area")


def _named(code: str, scope: Scope) -> str:
    """The code where it may be named; what an answer without sources is about has no code."""
    if not code:
        return _("answers without sources")
    return code if code in scope.documents else _("another document")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
