"""What the machinery did and does: index versions, jobs and those that are parked, propagation of changes, alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import localize
from django.utils.translation import gettext_lazy

from documents.admin import RecordAdmin
from documents.models import Alarm, IndexVersion, Job, Propagation
from documents.rules.types import Role
from governance.actions import work
from governance.admin_actions import Row, decision

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _row(job: Job) -> Row:
    return Row(job.pk, f"{job.pk} {job}", job.get_state_display())


@admin.register(Job)
class JobAdmin(RecordAdmin):
    list_display = [
        "id",
        "kind",
        "argument",
        "queue",
        "state",
        "how_far",
        "attempts",
        "error",
        "created_at",
        "updated_at",
    ]
    list_filter = ["state", "queue", "kind"]
    date_hierarchy = "created_at"
    actions = [
        decision("retry", gettext_lazy("Retry parked work"), work.retry, permission="decide", shown=_row),
        decision("discard", gettext_lazy("Discard parked work"), work.discard, permission="decide", shown=_row),
    ]

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return Role.INDEXER in self.person(request).roles

    @admin.display(description=gettext_lazy("progress"))
    def how_far(self, job: Job) -> str:
        return f"{job.progress}/{job.total}" if job.total else "—"


@admin.register(IndexVersion)
class IndexVersionAdmin(RecordAdmin):
    list_display = ["__str__", "state", "fingerprint", "chunker", "entries", "revisions", "published_at", "dropped_at"]
    list_filter = ["state", "engine"]
    ordering = ["-id"]


class Late(admin.SimpleListFilter):
    title = gettext_lazy("late")
    parameter_name = "late"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, StrOrPromise]]:
        return [("yes", gettext_lazy("late")), ("open", gettext_lazy("on the way"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "yes":
            late = Propagation.objects.late(timezone.now()).order_by().values("pk")
            return queryset.filter(pk__in=late)
        return queryset.filter(agreed_at=None) if self.value() == "open" else queryset


@admin.register(Propagation)
class PropagationAdmin(RecordAdmin):
    list_display = ["id", "action", "code", "risk", "committed_at", "index", "copies", "caches", "in_all", "due"]
    fields = [
        "action", "code", "risk", "bulk", "committed_at", "due_at", "index_at", "copies_at", "caches_at", "agreed_at",
    ]  # fmt: skip
    readonly_fields = ["code"]
    list_filter = [Late, "risk", "action", "bulk"]
    list_select_related = ["document"]
    date_hierarchy = "committed_at"

    @admin.display(description=gettext_lazy("document"), ordering="document__code")
    def code(self, row: Propagation) -> str:
        return row.document.code

    @admin.display(description=gettext_lazy("index"))
    def index(self, row: Propagation) -> str:
        return _seconds(row, row.index_at)

    @admin.display(description=gettext_lazy("copies"))
    def copies(self, row: Propagation) -> str:
        return _seconds(row, row.copies_at)

    @admin.display(description=gettext_lazy("caches"))
    def caches(self, row: Propagation) -> str:
        return _seconds(row, row.caches_at)

    @admin.display(description=gettext_lazy("in all"))
    def in_all(self, row: Propagation) -> str:
        return _seconds(row, row.agreed_at)

    @admin.display(description=gettext_lazy("objective"))
    def due(self, row: Propagation) -> str:
        return _seconds(row, row.due_at)


@admin.register(Alarm)
class AlarmAdmin(RecordAdmin):
    list_display = ["kind", "count", "note", "opened_at", "seen_at", "closed_at"]
    list_filter = ["kind", ("closed_at", admin.EmptyFieldListFilter)]


def _seconds(row: Propagation, moment: Any) -> str:
    if moment is None:
        return "—"
    return f"{localize(round((moment - row.committed_at).total_seconds(), 1))}\N{NO-BREAK SPACE}s"
