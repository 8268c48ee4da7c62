"""What hangs on an area, a unit, a term, a channel or a rule: what an edit of it would change, as counts."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import Group
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from documents.models import Area, Channel, Document, GlossaryEntry, Unit
from governance.models import PrecedenceRule


@dataclass(frozen=True, slots=True)
class Use:
    """How many of what; `text` says it in words, and `path` is the list that shows them, empty where there is none."""

    text: str
    path: str = ""
    query: str = ""


def of_area(area: Area) -> list[Use]:
    documents = Document.objects.filter(area=area).count()
    rules = PrecedenceRule.objects.filter(Q(prevails__area=area) | Q(over__area=area)).count()
    terms = GlossaryEntry.objects.filter(area=area).count()
    granted = Document.objects.filter(group_grants__group=area.group_id).distinct().count()
    return [
        _use(
            ngettext("%(n)d document is of it.", "%(n)d documents are of it.", documents),
            documents,
            "admin:documents_document_changelist",
            f"area__id__exact={area.pk}",
        ),
        _use(
            ngettext(
                "%(n)d rule of precedence names one of them.", "%(n)d rules of precedence name one of them.", rules
            ),
            rules,
        ),
        _use(ngettext("%(n)d term holds in it.", "%(n)d terms hold in it.", terms), terms),
        _people(area.group),
        _use(
            ngettext(
                "%(n)d document is granted to the whole of it.",
                "%(n)d documents are granted to the whole of it.",
                granted,
            ),
            granted,
        ),
    ]


def of_unit(unit: Unit) -> list[Use]:
    documents = Document.objects.filter(scope_units__contains=[unit.slug]).count()
    rules = PrecedenceRule.objects.filter(except_units__contains=[unit.slug]).count()
    scoped = Document.objects.exclude(scope_jurisdictions=[]).count()
    return [
        _use(
            ngettext("%(n)d document has it in its scope.", "%(n)d documents have it in their scope.", documents),
            documents,
        ),
        _use(
            ngettext(
                "%(n)d rule of precedence makes an exception for it.",
                "%(n)d rules of precedence make an exception for it.",
                rules,
            ),
            rules,
        ),
        _people(unit.group),
        _use(
            ngettext(
                "%(n)d document is for some jurisdictions: with another jurisdiction of the unit, others read it at"
                " once.",
                "%(n)d documents are for some jurisdictions: with another jurisdiction of the unit, others read them"
                " at once.",
                scoped,
            ),
            scoped,
        ),
    ]


def of_term(entry: GlossaryEntry) -> list[Use]:
    same = GlossaryEntry.objects.filter(term__iexact=entry.term).exclude(pk=entry.pk).select_related("area")
    others = ", ".join(str(other.area) if other.area else _("every area") for other in same)
    lines = [Use(_("Every question with “%(term)s” is also searched by its meanings.") % {"term": entry.term})]
    if entry.area is not None:
        lines.append(Use(_("Those searches look into the area %(area)s first.") % {"area": entry.area}))
    if others:
        lines.append(Use(_("The term has other meanings in: %(areas)s.") % {"areas": others}))
    return lines


def of_channel(channel: Channel) -> list[Use]:
    if channel.area is None:
        n = Area.objects.exclude(pk__in=Channel.objects.exclude(area=None).values("area")).count()
        text = ngettext(
            "It serves %(n)d area without a channel of its own.",
            "It serves %(n)d areas without a channel of their own.",
            n,
        )
        return [_use(text, n)]
    n = Document.objects.filter(area=channel.area).count()
    text = ngettext(
        "Questions about %(n)d document that find no answer lead here.",
        "Questions about %(n)d documents that find no answer lead here.",
        n,
    )
    return [_use(text, n)]


def of_rule(rule: PrecedenceRule) -> list[Use]:
    ends = [rule.prevails_id, rule.over_id]
    chained = PrecedenceRule.objects.filter(Q(prevails__in=ends) | Q(over__in=ends)).exclude(pk=rule.pk).count()
    mandatory = rule.kind == PrecedenceRule.Kind.MANDATORY
    lines = [
        Use(_("%(over)s is not quoted where both answer.") % {"over": rule.over.code})
        if mandatory
        else Use(_("%(prevails)s goes first, and both may be quoted.") % {"prevails": rule.prevails.code})
    ]
    if rule.except_units or rule.except_jurisdictions:
        places = ", ".join([*rule.except_units, *rule.except_jurisdictions])
        lines.append(Use(_("In %(places)s it is the other way round.") % {"places": places}))
    if chained:
        text = ngettext(
            "%(n)d other rule names one of the two: rules chain.",
            "%(n)d other rules name one of the two: rules chain.",
            chained,
        )
        lines.append(_use(text, chained))
    return lines


def _people(group: Group) -> Use:
    n = group.user_set.filter(is_active=True).count()
    return _use(ngettext("%(n)d person belongs to it.", "%(n)d people belong to it.", n), n)


def _use(text: str, n: int, path: str = "", query: str = "") -> Use:
    return Use(text % {"n": n}, path, query)
