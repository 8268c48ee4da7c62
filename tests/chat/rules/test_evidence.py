"""What is recorded of an answer, and the hash over it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from chat.rules.evidence import GENESIS, body, chained_hash, documents, typed
from chat.rules.outcome import Outcome
from chat.rules.types import Search, Status
from tests.chat.rules.outcomes import ONE, READER, VERSIONS, outcome

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def recorded(value: Outcome) -> Any:
    return json.loads(json.dumps(body(value, VERSIONS, READER, {text: text for text in typed(value)})))


@pytest.mark.parametrize("status", Status)
def test_every_status_is_recorded_with_the_same_keys(status: Status) -> None:
    value = recorded(outcome(status))
    assert set(value) == {
        "format", "area", "status", "question", "standalone_question", "on", "temporal", "missing", "error", "reader",
        "searches", "stages", "candidates", "signals", "passages", "claims", "refused", "conflict", "related", "usage",
        "cached", "timings_ms", "versions",
    }  # fmt: skip
    assert value["status"] == status
    assert rfc8785.dumps(value)


def test_all_that_explains_an_answer_is_in_it() -> None:
    value = recorded(outcome())
    assert value["candidates"][0] == {
        "chunk": 1, "document": "doc-1", "revision": "v1", "corpus": "official", "reason": "eligible",
        "lexical_rank": 1, "vector_rank": 2, "fused": 0.03, "features": {"bm25": 1.5}, "score": 2.5, "rank": 1,
    }  # fmt: skip
    assert value["candidates"][1]["reason"] == "retired"
    [passage] = value["passages"]
    assert (passage["number"], passage["start"], passage["end"]) == (1, 100, 138)
    assert passage["text_hash"] == ONE.text_hash
    assert "text" not in passage
    assert value["refused"] == [
        {
            "text": "O prazo é de 5 horas.",
            "passage": 1,
            "quote": "O prazo é de 4 horas.",
            "reason": "number_not_in_quote",
        }
    ]
    assert set(value["versions"]) == {field.name for field in fields(VERSIONS)}


def test_the_reader_is_keys() -> None:
    assert recorded(outcome())["reader"] == {
        "key": READER.key,
        "groups": ["todos"],
        "areas": [],
        "units": [],
        "jurisdictions": [],
        "roles": ["approver"],
    }


def test_everything_that_a_person_typed_goes_through_the_redaction() -> None:
    value = outcome(Status.ANSWERED, searches=(Search("segredo a"), Search("segredo b")), error="segredo c")
    told = body(value, VERSIONS, READER, dict.fromkeys(typed(value), "[…]"))
    assert "segredo" not in str(told)
    assert value.question not in str(told)
    assert "5 horas" not in str(told), "a refused claim may repeat the question"
    assert "4 horas" in str(told["claims"]), "the corpus's own words stay"


@pytest.mark.parametrize(
    ("status", "codes"),
    [(Status.ANSWERED, ["doc-1"]), (Status.CONFLICT, ["doc-1", "outro"]), (Status.NOT_FOUND, [])],
)
def test_the_documents_are_those_shown_as_sources(status: Status, codes: list[str]) -> None:
    assert documents(recorded(outcome(status))) == codes


def hashed(**changes: Any) -> str:
    values = {
        "sequence": 1,
        "record_id": "id",
        "recorded_at": NOON,
        "reader_key": "key",
        "record": {"a": [1, 0.5, None, "ç"], "b": {}},
        "previous": GENESIS,
    }
    return chained_hash(**(values | changes))  # type: ignore[arg-type]


def test_the_hash_is_sha_256_of_the_canonical_json() -> None:
    value = {
        "sequence": 1,
        "id": "id",
        "recorded_at": "2026-11-30T12:00:00+00:00",
        "reader_key": "key",
        "body": {"b": {}, "a": [1, 0.5, None, "ç"]},
        "previous": "0" * 64,
    }
    assert hashed() == hashlib.sha256(rfc8785.dumps(value)).hexdigest()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"sequence": 2},
        {"record_id": "other"},
        {"recorded_at": NOON.replace(microsecond=1)},
        {"reader_key": "other"},
        {"record": {"a": [1, 0.5, None, "c"], "b": {}}},
        {"previous": "1" * 64},
    ],
    ids=lambda change: next(iter(change)),
)
def test_each_part_changes_the_hash(change: dict[str, Any]) -> None:
    assert hashed(**change) != hashed()


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_record_survives_json_whatever_was_asked(question: str) -> None:
    value = outcome(Status.NOT_FOUND)
    changed = Outcome(value.status, question, question, value.on, value.temporal)
    told = recorded(changed)
    assert told["question"] == question
    assert question in set(texts(told))
    assert hashed(record=told) == hashed(record=json.loads(json.dumps(told, ensure_ascii=False)))
