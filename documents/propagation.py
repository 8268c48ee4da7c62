"""How long changes take to arrive: what is expected of one when it is made, and what was measured of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Aggregate, Count, F, FloatField, Func, Q, Value
from django.db.models.functions import TruncDate

from documents import alarms, clock
from documents.models import Alarm, Document, Propagation, Revision
from documents.querysets import overdue
from documents.rules.types import Risk

LAYERS = ("index", "copies", "caches")
"""What answers are made from: the index's primary, each other copy of it, the caches of questions and answers."""
KEPT_FOR = timedelta(days=90)
WATCHED = timedelta(days=1)
"""An alarm is about changes of the last day."""


def expect_all(
    action: Propagation.Action, changed: Iterable[tuple[Document, Revision | None]], *, bulk: bool = False
) -> list[Propagation]:
    """Begin to measure a change of each, inside the transaction that makes them; the time counts from the commit."""
    now = clock.now()
    rows = Propagation.objects.bulk_create(
        Propagation(
            action=action,
            document=document,
            revision=revision,
            risk=document.risk,
            bulk=bulk,
            committed_at=now,
            due_at=now + objective(Risk(document.risk), bulk=bulk),
        )
        for document, revision in changed
    )
    transaction.on_commit(lambda: _committed([row.pk for row in rows], now))
    return rows


def objective(risk: Risk, *, bulk: bool = False) -> timedelta:
    """Within what time a change of a document of this class should have arrived."""
    seconds: dict[str, int] = settings.KB_PROPAGATION_SECONDS
    return timedelta(seconds=max(seconds.values()) if bulk else seconds[risk])


def _committed(ids: Sequence[int], made: datetime) -> None:
    """If the process dies before this, the time when the rows were made stands: a little more than the truth."""
    now = clock.now()
    rows = Propagation.objects.filter(pk__in=ids, agreed_at=None)
    rows.update(committed_at=now, due_at=F("due_at") + Value(now - made))


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds from commit to agreement of one layer for one risk class on one day, over `count` changes.

    `late` counts changes of that class and day that came after they were due or are due and not there; `open` those
    that this layer has not agreed to yet. Percentiles are None where nothing has arrived.
    """

    layer: str
    risk: Risk
    day: date
    count: int
    open: int
    late: int
    p50: float | None
    p95: float | None
    p99: float | None


def summary(since: datetime, now: datetime | None = None, *, bulk: bool = False) -> list[Measured]:
    """Per layer, class and day (of the portal's time zone) since then, newest day first; one query a layer.

    Changes made in bulk are counted apart: `bulk` asks for those instead.
    """
    now = now or clock.now()
    rows = Propagation.objects.filter(committed_at__gte=since, bulk=bulk)
    found: list[Measured] = []
    for layer in LAYERS:
        moment = F(f"{layer}_at")
        grouped = (
            rows.annotate(day=TruncDate("committed_at"), seconds=_seconds(moment - F("committed_at")))
            .values("day", "risk")
            .annotate(
                count=Count("pk"),
                open=Count("pk", filter=Q(**{f"{layer}_at": None})),
                late=Count("pk", filter=overdue(now)),
                p50=_Percentile("seconds", 0.5),
                p95=_Percentile("seconds", 0.95),
                p99=_Percentile("seconds", 0.99),
            )
            .order_by("-day", "risk")
        )
        found += [
            Measured(
                layer, Risk(row["risk"]), row["day"], row["count"], row["open"], row["late"], row["p50"], row["p95"],
                row["p99"],
            )
            for row in grouped
        ]  # fmt: skip
    return sorted(found, key=lambda one: (-one.day.toordinal(), list(Risk).index(one.risk), LAYERS.index(one.layer)))


def watch() -> int:
    """Raise the alarm over changes of the last day that are due and have not arrived, or clear it; how many."""
    now = clock.now()
    waiting = Propagation.objects.filter(agreed_at=None, due_at__lt=now, committed_at__gte=now - WATCHED)
    codes = list(waiting.order_by("due_at").values_list("document__code", flat=True))
    alarms.report(Alarm.Kind.LATE, _listed(codes), len(codes))
    return len(codes)


def prune() -> int:
    return Propagation.objects.filter(committed_at__lt=clock.now() - KEPT_FOR).delete()[0]


def _listed(codes: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(codes[:20])) + (" …" if len(codes) > 20 else "")


class _Percentile(Aggregate):
    """`percentile_cont`, over what is not null."""

    function = "PERCENTILE_CONT"
    name = "Percentile"
    output_field = FloatField()
    template = "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)"

    def __init__(self, expression: str, share: float) -> None:
        super().__init__(expression, share=float(share))


def _seconds(interval: Any) -> Func:
    return Func(Value("epoch"), interval, function="date_part", output_field=FloatField(), arity=2)


def durations(layer: str, since: datetime) -> list[tuple[Risk, float]]:
    """Class and seconds of every change since then that this layer has agreed to; not of those made in bulk."""
    rows = Propagation.objects.filter(committed_at__gte=since, bulk=False, **{f"{layer}_at__isnull": False})
    taken = rows.annotate(seconds=_seconds(F(f"{layer}_at") - F("committed_at"))).values_list("risk", "seconds")
    return [(Risk(risk), seconds) for risk, seconds in taken]
