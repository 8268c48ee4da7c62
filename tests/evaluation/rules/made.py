"""Cases and answers for the tests of the evaluation's rules."""

from __future__ import annotations

from itertools import count

from chat.rules.types import Status, Usage
from evaluation.rules.cases import Case, Source
from evaluation.rules.judging import Given, Judged, Place, judge

_numbers = count(1)
PRAZOS = Place("ops-cd-sp", ("Operação", "4. Prazos"), "secao-4")


def case(status: str = "answered", **changes: object) -> Case:
    """A question on `ops-cd-sp`, section "4. Prazos"; refused ones have no source."""
    answerable = status in ("answered", "conflict")
    values: dict[str, object] = {
        "id": f"q-{next(_numbers)}",
        "question": "qual o SLA do CD-SP?",
        "person": "ana.ops",
        "on": None,
        "history": (),
        "status": Status(status),
        "sources": (Source("ops-cd-sp", "4. Prazos"),) if answerable else (),
        "facts": (),
        "tags": (),
    }
    return Case(**(values | changes))  # type: ignore[arg-type]


def given(status: str = "answered", *places: Place, **changes: object) -> Given:
    values: dict[str, object] = {
        "status": Status(status),
        "places": places,
        "text": "O prazo é de 4 horas úteis.",
        "unsupported": 0,
        "ranked": (),
        "usage": Usage(),
    }
    return Given(**(values | changes))  # type: ignore[arg-type]


def judged(wanted: str = "answered", got: str = "answered", *places: Place, **changes: object) -> Judged:
    """A case that wants one status and an answer that has another; an answer cites the right place by default."""
    cited = places or ((PRAZOS,) if got in ("answered", "conflict") else ())
    return judge(case(wanted), given(got, *cited, **changes))
