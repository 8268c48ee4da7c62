"""Precedence rules, tasks and the audit trail."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from documents.admin import once, person_of
from documents.models import Document, ReaderIdentity, Unit
from documents.rules.types import Role, Window
from governance import usage
from governance.actions.precedence import RuleData, change_rule, create_rule
from governance.actions.tasks import close_task
from governance.admin.base import Governed
from governance.admin.edited import Edited
from governance.admin.fields import SUGGEST, DocumentField, PersonField, offer
from governance.admin_actions import DayInput, Row, decision, signed_in
from governance.models import AuditEvent, OwnerTask, PrecedenceRule
from governance.permissions import known_documents, may, tasks_of
from governance.rules.moves import Duty
from governance.rules.precedence import PrecedenceKind
from governance.templatetags.days import days
from governance.usage import Use


class RuleForm(forms.ModelForm):
    prevails = DocumentField(Document.objects.none(), label=gettext_lazy("Document that prevails"))
    over = DocumentField(Document.objects.none(), label=gettext_lazy("Over"))
    owner = PersonField(label=gettext_lazy("Owner"))
    valid_from = forms.DateField(label=gettext_lazy("Valid from"), widget=DayInput)
    valid_until = forms.DateField(label=gettext_lazy("Valid until"), required=False, widget=DayInput)

    class Meta:
        model = PrecedenceRule
        fields = ["kind", "except_units", "except_jurisdictions", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["valid_from"].initial = self.instance.validity.lower
            self.fields["valid_until"].initial = self.instance.validity.upper
            for name in ("prevails", "over", "owner"):
                self.fields[name].initial = getattr(self.instance, f"{name}_id")

    def clean_except_units(self) -> list[str]:
        """An exception for a unit that does not exist would never count."""
        units = list(self.cleaned_data["except_units"])
        known = set(Unit.objects.filter(slug__in=units).values_list("slug", flat=True))
        if unknown := sorted(set(units) - known):
            raise forms.ValidationError(_("There is no such unit: %(names)s.") % {"names": ", ".join(unknown)})
        return units

    def rule_data(self) -> RuleData:
        values = self.cleaned_data
        return RuleData(
            prevails=values["prevails"],
            over=values["over"],
            owner=values["owner"],
            kind=PrecedenceKind(values["kind"]),
            validity=Window(values["valid_from"], values["valid_until"]),
            except_units=values["except_units"],
            except_jurisdictions=values["except_jurisdictions"],
        )


@admin.register(PrecedenceRule)
class PrecedenceRuleAdmin(Edited, Governed):
    form = RuleForm
    list_display = ["prevails", "over", "kind", "in_force_days", "except_units", "except_jurisdictions", "owner"]
    list_filter = ["kind"]
    list_select_related = ["prevails", "over", "owner"]
    search_fields = ["prevails__code", "over__code"]
    fields = [
        "prevails", "over", "kind", "valid_from", "valid_until", "except_units", "except_jurisdictions", "owner",
        "reason",
    ]  # fmt: skip

    class Media:
        js = [SUGGEST]

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        known = known_documents(signed_in(request), person_of(request)).order_by().values("pk")
        return PrecedenceRule.objects.filter(prevails__in=known, over__in=known).select_related(
            "prevails__area", "over__area", "owner"
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.manages_some(request)

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        if not isinstance(obj, PrecedenceRule):
            return False
        ends = (obj.prevails, obj.over)
        return once(
            request, f"rules {obj.pk}", lambda: any(may(self.person(request), end, Duty.MANAGE) for end in ends)
        )

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> Any:
        if obj is None or self.has_change_permission(request, obj):
            return self.fields
        return ["in_force_days" if name == "valid_from" else name for name in self.fields if name != "valid_until"]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        made = super().get_form(request, obj, change, **kwargs)
        known = known_documents(signed_in(request), person_of(request)).select_related("area")
        offer(made, ("prevails", "over"), known)
        return made

    @admin.display(description=gettext_lazy("in force"), ordering="validity")
    def in_force_days(self, row: PrecedenceRule) -> str:
        return days(row.validity)

    def uses(self, row: PrecedenceRule) -> list[Use]:
        return usage.of_rule(row)

    def target(self, row: PrecedenceRule) -> str:
        return f"precedence:{row.pk}"

    def save_model(self, request: HttpRequest, obj: PrecedenceRule, form: RuleForm, change: bool) -> None:
        reason = form.cleaned_data["reason"]
        if change:
            change_rule(obj.pk, form.rule_data(), actor=signed_in(request), reason=reason)
        else:
            obj.pk = create_rule(form.rule_data(), actor=signed_in(request), reason=reason).pk


@admin.register(OwnerTask)
class OwnerTaskAdmin(Governed):
    list_display = ["id", "kind", "document", "other", "owner", "state", "created_at"]
    list_filter = ["state", "kind"]
    list_select_related = ["document", "other", "owner"]
    fields = ["kind", "document", "other", "owner", "record", "note", "state", "created_at", "done_at"]
    readonly_fields = ["record"]
    actions = [
        decision(
            "close",
            gettext_lazy("Mark as done"),
            close_task,
            permission="view",
            shown=lambda task: Row(task.pk, str(task), task.get_state_display()),
        )
    ]

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        return tasks_of(self.person(request))

    @admin.display(description=gettext_lazy("evidence"))
    def record(self, task: OwnerTask) -> str:
        """The way to the record; its page opens to auditors and to whoever asked, and is missing for others."""
        if not task.evidence:
            return "-"
        return format_html('<a href="{}">{}</a>', reverse("evidence-record", args=[task.evidence]), task.evidence)


@admin.register(AuditEvent)
class AuditEventAdmin(Governed):
    """For auditors: who did what, with the person's name where the person was not forgotten."""

    list_display = ["position", "at", "who", "verb", "target", "reason"]
    list_filter = ["verb"]
    search_fields = ["target", "reason"]
    date_hierarchy = "at"
    fields = ["position", "at", "who", "actor", "verb", "target", "reason", "before", "after", "previous", "hash"]

    def allowed_rows(self, request: HttpRequest) -> models.QuerySet[Any]:
        names = ReaderIdentity.objects.filter(key=OuterRef("actor")).values("user__username")
        return AuditEvent.objects.annotate(username=Subquery(names))

    def has_module_permission(self, request: HttpRequest) -> bool:
        if not super().has_module_permission(request):
            return False
        return request.user.is_superuser or Role.AUDITOR in self.person(request).roles

    @admin.display(description=gettext_lazy("who"), ordering="username")
    def who(self, event: Any) -> str:
        return event.username or _("forgotten person")
