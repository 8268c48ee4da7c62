"""The dashboards as values, for the page and its files: what was asked, what it cost, what is waiting for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from chat.auditing import words
from chat.rules.chart import columns, percentile
from chat.rules.topics import topics
from chat.rules.types import Status
from chat.statistics import upkeep
from chat.statistics.days import STAGES, Day, days, unanswered
from chat.statistics.objections import objections
from chat.statistics.scope import Scope
from chat.statistics.tables import Cell, Figure, Section, Table
from documents.models import Area

PERIODS = (7, 30, 90)
TOPICS = 25
OTHERS = (Status.NEEDS_DATE, Status.CONFLICT, Status.BLOCKED, Status.UNAVAILABLE)


@dataclass(frozen=True, slots=True)
class Board:
    figures: Sequence[Figure]
    sections: Sequence[Section]


def board(scope: Scope, period: int) -> Board:
    """Everything of the last `period` days, today included. Who sees areas of their own gets what is of these alone."""
    today = timezone.localdate()
    first = today - timedelta(days=period - 1)
    counted = days(first, today)
    names = dict(Area.objects.values_list("slug", "name"))
    sections = [_questions(counted, scope), _areas(counted, scope, names)]
    if scope.reads_questions:
        sections.append(_topics(counted, scope, names))
    sections += [*objections(scope, first), upkeep.conflicts(scope, first)]
    sections += [upkeep.responses(scope, first, names), upkeep.expiring(scope, today)]
    if scope.whole:
        sections += [_cost(counted), _latency(counted), upkeep.propagation(first)]
    if scope.audits:
        sections.append(upkeep.chains())
    return Board(_figures(counted, scope), sections)


def _figures(counted: Sequence[Day], scope: Scope) -> list[Figure]:
    by_status = {status: sum(day.count(status, scope.areas) for day in counted) for status in Status}
    number = sum(by_status.values())
    told = [Figure(_("questions"), number)]
    told += [
        Figure(words.say(words.STATUS, status), by_status[status], _share(by_status[status], number))
        for status in (Status.ANSWERED, Status.NOT_FOUND, Status.CONFLICT)
    ]
    if scope.whole:
        total = [value for day in counted for value in day.timings.get("total", ())]
        half = percentile(total, 0.5)
        told.append(Figure(_("median time"), None if half is None else round(half), "ms"))
        told.append(Figure(_("cost a question"), _each(sum(day.cost for day in counted), number)))
    return told


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else ""


def _each(amount: float, number: int) -> float | None:
    return round(amount / number, 6) if number else None


def _questions(counted: Sequence[Day], scope: Scope) -> Section:
    shown = (Status.ANSWERED, Status.NOT_FOUND, *OTHERS)
    counts = [[day.count(status, scope.areas) for status in shown] for day in counted]
    rows: list[list[Cell]] = [[day.day, *told] for day, told in zip(counted, counts, strict=True)]
    legend = [words.say(words.STATUS, Status.ANSWERED), words.say(words.STATUS, Status.NOT_FOUND), _("others")]
    series = [[told[0] for told in counts], [told[1] for told in counts], [sum(told[2:]) for told in counts]]
    return Section(
        "perguntas",
        _("Questions a day"),
        Table([_("day"), *(words.say(words.STATUS, status) for status in shown)], rows),
        _("Nobody asked in this period."),
        chart=columns(_labels(counted), list(zip(legend, series, strict=True))),
        legend=legend,
    )


def _labels(counted: Sequence[Day]) -> list[str]:
    return [date_format(day.day, "SHORT_DATE_FORMAT") for day in counted]


def _areas(counted: Sequence[Day], scope: Scope, names: Mapping[str, str]) -> Section:
    asked: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for day in counted:
        for (status, area), number in day.answers.items():
            if scope.areas is None or area in scope.areas:
                asked[area] += number
                missed[area] += number if status == Status.NOT_FOUND else 0
    rows: list[list[Cell]] = [
        [upkeep.area_name(area, names), asked[area], number, _share(number, asked[area])]
        for area, number in sorted(missed.items(), key=lambda item: (-item[1], item[0]))
    ]
    return Section(
        "areas",
        _("Not found by area"),
        Table([_("area"), _("questions"), _("not found"), _("share")], rows, bar=2),
        _("Nobody asked in this period."),
        _("The area is that of the passages that came nearest; a question that came near nothing has none."),
    )


def _topics(counted: Sequence[Day], scope: Scope, names: Mapping[str, str]) -> Section:
    asked = unanswered(counted, scope.areas)
    found = topics([item.question for item in asked])[:TOPICS]
    rows: list[list[Cell]] = [
        [
            topic.name,
            len(topic.members),
            upkeep.area_name(Counter(asked[place].area for place in topic.members).most_common(1)[0][0], names),
        ]
        for topic in found
    ]
    return Section(
        "assuntos",
        _("Not found by topic"),
        Table(
            [_("question"), _("times"), _("area")],
            rows,
            bar=1,
            links=[
                reverse("evidence-record", args=[asked[topic.members[-1]].evidence]) if scope.audits else ""
                for topic in found
            ],
        ),
        _("Every question of this period found something."),
        _("Similar questions are one topic when they share half of their words; personal data was taken out of them."),
    )


def _cost(counted: Sequence[Day]) -> Section:
    rows: list[list[Cell]] = [
        [
            day.day,
            day.questions,
            _each(day.prompt_tokens + day.completion_tokens, day.questions),
            _share(round(day.cached_tokens), round(day.prompt_tokens)),
            _each(day.cost, day.questions),
            _share(day.cached, day.generated),
        ]
        for day in counted
        if day.questions
    ]
    header = [
        _("day"),
        _("questions"),
        _("tokens a question"),
        _("tokens in the provider's cache"),
        _("cost a question"),
        _("answers from the portal's cache"),
    ]
    spent = [(day.cost / day.questions) if day.questions else 0.0 for day in counted]
    return Section(
        "custo",
        _("Cost and tokens"),
        Table(header, rows),
        _("Nobody asked in this period."),
        _("Without a language model there are no tokens and no cost."),
        chart=columns(_labels(counted), [(_("cost a question"), spent)]),
        legend=[_("cost a question")],
    )


def _latency(counted: Sequence[Day]) -> Section:
    rows: list[list[Cell]] = []
    for step in STAGES:
        values = [value for day in counted for value in day.timings.get(step, ())]
        if values:
            half, most = percentile(values, 0.5), percentile(values, 0.95)
            rows.append([words.say(words.STEP, step), len(values), round(half or 0, 1), round(most or 0, 1)])
    return Section(
        "tempo",
        _("Time by step"),
        Table([_("step"), _("answers"), _("half within (ms)"), _("95% within (ms)")], rows, bar=3),
        _("Nobody asked in this period."),
    )
