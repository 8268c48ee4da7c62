"""An evidence record as PROV-JSON: every name that is used is declared, and every fact of the record is in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chat.rules.evidence import body, typed
from chat.rules.prov import PREFIX, document
from chat.rules.types import Status
from tests.chat.rules.outcomes import READER, VERSIONS, outcome

RELATIONS = {
    "used": ("activity", "entity"),
    "wasGeneratedBy": ("entity", "activity"),
    "wasAssociatedWith": ("activity", "agent"),
    "wasQuotedFrom": ("generatedEntity", "usedEntity"),
    "wasDerivedFrom": ("generatedEntity", "usedEntity"),
    "specializationOf": ("specificEntity", "generalEntity"),
    "wasInvalidatedBy": ("entity", "activity"),
}
KIND = {
    "entity": "entity",
    "generatedEntity": "entity",
    "usedEntity": "entity",
    "specificEntity": "entity",
    "generalEntity": "entity",
    "activity": "activity",
    "agent": "agent",
}


def prov(status: Status) -> dict[str, Any]:
    value = outcome(status)
    record = {
        "id": "abc",
        "reader_key": READER.key,
        "status": str(status),
        "on": "2026-11-30",
        "hash": "f" * 64,
        "recorded_at": "2026-11-30T12:00:00+00:00",
        "body": json.loads(json.dumps(body(value, VERSIONS, READER, {text: text for text in typed(value)}))),
    }
    return json.loads(json.dumps(document(record)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("status", Status)
def test_every_name_that_a_relation_uses_is_declared(status: Status) -> None:
    made = prov(status)
    assert set(made) == {"prefix", "entity", "activity", "agent", *RELATIONS}
    for relation, roles in RELATIONS.items():
        for name, value in made[relation].items():
            assert name.startswith("_:")
            for role in roles:
                assert value[f"prov:{role}"] in made[KIND[role]], (relation, name, role)
    names = [name for kind in ("entity", "activity", "agent") for name in made[kind]]
    assert len(names) == len(set(names))
    assert all(name.split(":")[0] in PREFIX for name in names)
    assert all(
        key.split(":")[0] in PREFIX
        for kind in ("entity", "activity", "agent")
        for v in made[kind].values()
        for key in v
    )


def test_an_answer_leads_back_to_its_document() -> None:
    made = prov(Status.ANSWERED)
    [quoted] = made["wasQuotedFrom"].values()
    assert made["entity"][quoted["prov:generatedEntity"]]["prov:value"] == "O prazo é de 4 horas."
    assert quoted["kb:quote"] == "O prazo é de 4 horas."
    [special] = made["specializationOf"].values()
    assert (special["prov:specificEntity"], special["prov:generalEntity"]) == (
        quoted["prov:usedEntity"],
        "kb:document/doc-1",
    )


def test_a_conflict_quotes_both_sources() -> None:
    quoted = prov(Status.CONFLICT)["wasQuotedFrom"].values()
    assert {value["kb:quote"] for value in quoted} == {"O prazo é de 4 horas.", "O prazo é de 9 horas."}


def test_what_fell_says_why() -> None:
    fallen = prov(Status.ANSWERED)["wasInvalidatedBy"].values()
    assert [value["kb:reason"] for value in fallen] == ["retired", "retired"]


def test_no_person_is_named() -> None:
    agents = prov(Status.ANSWERED)["agent"]
    assert set(agents) == {f"kb:reader/{READER.key}", "kb:portal"}
