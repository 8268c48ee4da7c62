"""Objections become cases that `evaluate` reads, without personal data, and say what a person must still fill in."""

from __future__ import annotations

import json
from datetime import date
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command

from chat import feedback
from chat.models import EvidenceRecord
from evaluation.rules import cases as sets
from evaluation.rules.candidates import Objection, cases, incomplete
from tests import factories
from tests.chat.portal import PICKING, PICKING_Q, ask, published


def objection(kind: str, **values: object) -> Objection:
    held: dict[str, object] = {"id": 1, "kind": kind, "question": "qual o prazo?", "on": None, "document": "doc"}
    return Objection(**(held | values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "status", "sources", "waits"),
    [
        ("invented", "not_found", [], False),
        ("outdated", "answered", [["doc", None]], False),
        ("wrong_source", "answered", [], True),
        ("refused_wrongly", "answered", [], True),
    ],
)
def test_each_kind_says_what_it_knows(kind: str, status: str, sources: list[object], waits: bool) -> None:
    (case,) = cases([objection(kind)], "ana.ops")
    assert case["expect"] == {"status": status, "sources": sources, "facts": []}
    assert case["tags"] == ["candidate", kind]
    assert incomplete(case) is waits
    line = json.dumps(case)
    if waits:
        with pytest.raises(sets.BadSet, match="sources"):
            sets.read([line])
    else:
        assert sets.read([line])[0].person == "ana.ops"


def test_the_same_objection_is_one_case() -> None:
    same = [objection("invented", id=number) for number in (1, 2)]
    other = objection("invented", id=3, on=date(2025, 1, 1))
    assert [case["id"] for case in cases([*same, other], "x")] == ["objection-1", "objection-3"]


@pytest.mark.django_db
def test_the_command_writes_what_readers_objected_to_without_their_data() -> None:
    cache.clear()
    published("ops-cd-sp", PICKING)
    ana = factories.person("ana", first_name="Ana", last_name="Ribeiro")
    answered = ask(ana, PICKING_Q)["evidence"]
    refused = ask(ana, "sou Ana Ribeiro, CPF 529.982.247-25, qual a cor do uniforme?")["evidence"]
    for name, claim, kind in ((answered, 1, "outdated"), (refused, 0, "refused_wrongly")):
        feedback.give(EvidenceRecord.objects.get(id=name), ana, claim=claim, kind=kind, comment="")
    out, err = StringIO(), StringIO()
    call_command("export_candidates", "--as", "teste", stdout=out, stderr=err)
    first, second = out.getvalue().splitlines()
    (case,) = sets.read([first])
    assert (case.question, case.person, case.sources[0].document) == (PICKING_Q, "teste", "ops-cd-sp")
    assert "uniforme" in second
    for secret in ("529", "Ribeiro"):
        assert secret not in out.getvalue()
    assert "2 cases; 1 need" in err.getvalue()
    later = StringIO()
    call_command("export_candidates", "--as", "teste", "--since", "2999-01-01", stdout=later)
    assert later.getvalue() == ""
