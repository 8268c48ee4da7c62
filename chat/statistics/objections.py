"""What readers said is wrong: how often of which document, and each report with the way to it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import date
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from chat.models import EvidenceRecord, Feedback
from chat.statistics.days import start_of
from chat.statistics.scope import Scope
from chat.statistics.tables import Cell, Section, Table
from governance.models import OwnerTask

NEWEST = 50
"""Reports that are listed one by one."""
WORDS = 160


def objections(scope: Scope, first: date) -> list[Section]:
    """Of an answer with several sources each is told. Reports are shown to whoever sees one of the documents."""
    given = list(Feedback.objects.filter(created_at__gte=start_of(first)).order_by("-pk"))
    cited = dict(
        EvidenceRecord.objects.filter(id__in={one.evidence_id for one in given}).values_list("id", "documents")
    )
    told = [(one, [code for code in cited.get(one.evidence_id) or [""] if _seen(code, scope)]) for one in given]
    told = [(one, codes) for one, codes in told if codes]
    return [_counted(told, scope), _listed(told[:NEWEST], scope)]


def _seen(code: str, scope: Scope) -> bool:
    return scope.whole or code in scope.documents


def _counted(told: Sequence[tuple[Feedback, list[str]]], scope: Scope) -> Section:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one, codes in told:
        for code in codes:
            counts[scope.name(code)][one.kind] += 1
    kinds = list(Feedback.Kind)
    rows: list[list[Cell]] = [
        [code, *(by_kind[kind] for kind in kinds), by_kind.total()]
        for code, by_kind in sorted(counts.items(), key=lambda item: (-item[1].total(), item[0]))
    ]
    return Section(
        "objecoes",
        _("What readers objected to"),
        Table([_("document"), *(str(kind.label) for kind in kinds), _("all")], rows, bar=len(kinds) + 1),
        _("No reader objected to an answer in this period."),
    )


def _listed(told: Sequence[tuple[Feedback, list[str]]], scope: Scope) -> Section:
    """The newest first. Comments are kept without personal data; they are words of readers, as questions are."""
    rows: list[list[Cell]] = [
        [
            timezone.localdate(one.created_at),
            one.get_kind_display(),
            ", ".join(dict.fromkeys(scope.name(code) for code in codes)),
            *([Truncator(one.comment).chars(WORDS)] if scope.reads_questions else []),
        ]
        for one, codes in told
    ]
    header = [_("day"), _("kind"), _("document"), *([_("comment")] if scope.reads_questions else [])]
    return Section(
        "relatos",
        _("Reports, the newest first"),
        Table(header, rows, links=_links([one.evidence_id for one, _codes in told], scope)),
        _("No reader objected to an answer in this period."),
    )


def _links(evidence: Sequence[UUID], scope: Scope) -> list[str]:
    """An auditor opens the record, an owner the task that the report became; for others there is no page of it."""
    if scope.audits:
        return [reverse("evidence-record", args=[one]) for one in evidence]
    tasks = {} if scope.whole else _tasks({str(one) for one in evidence}, scope)
    return [
        reverse("admin:governance_ownertask_change", args=[tasks[one]]) if one in tasks else ""
        for one in map(str, evidence)
    ]


def _tasks(evidence: Collection[str], scope: Scope) -> dict[str, int]:
    rows = OwnerTask.objects.filter(
        kind=OwnerTask.Kind.FEEDBACK, evidence__in=evidence, document__code__in=scope.documents
    )
    return dict(rows.order_by("pk").values_list("evidence", "pk"))
