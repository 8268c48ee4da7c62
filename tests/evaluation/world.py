"""A portal with two short policies, one of them confidential, and a question set about them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path

from django.contrib.auth.models import User

from chat.models import Calibration
from chat.rules import abstain
from documents.search.converge import converge
from tests import factories

PICKING = "Prazos de separação\nO prazo de separação no CD-SP é de 4 horas úteis para pedidos até as 14h.\n"
PAYROLL = "Consignado\nA margem máxima do empréstimo consignado é de 35% do salário líquido do colaborador.\n"
EVERYTHING = replace(abstain.DEFAULT, version="all", strict=0.0, lenient=0.0)
NOTHING = replace(abstain.DEFAULT, version="none", strict=0.0, lenient=1.1)


def build(thresholds: abstain.Thresholds = EVERYTHING) -> User:
    """The portal, answering by these thresholds. Returns ana, who reads the picking policy alone."""
    owner = factories.person("dona")
    factories.person("rosa", groups=["folha"])
    picking = factories.document("ops-cd-sp", owner=owner, readers=["group:todos"], title="Manual do CD-SP")
    payroll = factories.document("folha", owner=owner, readers=["group:folha"], title="Folha de pagamento")
    start = date(2024, 1, 1)
    made = [
        factories.revision(picking, state="published", start=start, text=PICKING),
        factories.revision(payroll, state="published", start=start, text=PAYROLL),
    ]
    converge([revision.pk for revision in made])
    use(thresholds)
    return factories.person("ana")


def use(thresholds: abstain.Thresholds) -> None:
    Calibration.objects.create(thresholds=asdict(thresholds), questions=0, source="tests")


def question(name: str, person: str, text: str, status: str, *sources: str) -> dict[str, object]:
    """A line of a set; `sources` are codes of documents."""
    expect = {"status": status, "sources": [[code, None] for code in sources]}
    return {"id": name, "question": text, "as": person, "expect": expect, "tags": [person]}


SEPARATION = "qual o prazo de separação no CD-SP?"
LOAN = "qual a margem máxima do consignado?"
FOUR = [
    question("picking", "ana", SEPARATION, "answered", "ops-cd-sp"),
    question("loan-hidden", "ana", LOAN, "not_found"),
    question("loan", "rosa", LOAN, "answered", "folha"),
    question("date", "ana", "qual era o prazo de separação quando fui contratada?", "needs_date"),
]


def written(path: Path, lines: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path
