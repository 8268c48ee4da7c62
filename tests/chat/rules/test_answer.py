"""The one shape of an answer: these keys, in every status."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chat.rules.answer import answer, trace
from chat.rules.types import Status
from documents.rules.types import Corpus, Reason
from tests.chat.rules.outcomes import ONE, VERSIONS, outcome

KEYS = {
    "status", "question", "standalone_question", "on", "temporal", "claims", "conflict", "missing", "related",
    "channel", "evidence", "usage", "timings_ms",
}  # fmt: skip
CITATION = {
    "document", "title", "revision", "revision_id", "section", "anchor", "page", "quote", "authority", "valid_from",
    "valid_until", "owner", "url", "start", "end",
}  # fmt: skip
CHANNEL = {"label": "Operações", "url": "https://o.example/"}


def said(status: Status) -> dict[str, Any]:
    value = answer(outcome(status), evidence="abc", channel=CHANNEL)  # type: ignore[arg-type]
    return json.loads(json.dumps(value))  # type: ignore[no-any-return]


@pytest.mark.parametrize("status", Status)
def test_every_status_has_the_same_keys(status: Status) -> None:
    value = said(status)
    assert set(value) == KEYS
    assert value["status"] == status
    assert set(value["usage"]) == {"prompt_tokens", "cached_tokens", "completion_tokens", "cost"}
    assert list(value["timings_ms"]) == [
        "condense", "rewrite", "filter", "search", "rerank", "generate", "verify", "total",
    ]  # fmt: skip
    assert (value["on"], value["temporal"], value["evidence"]) == ("2026-11-30", "current", "abc")
    assert value["channel"] == CHANNEL


@pytest.mark.parametrize("status", Status)
def test_only_what_a_status_says_is_filled(status: Status) -> None:
    value = said(status)
    assert bool(value["claims"]) is (status is Status.ANSWERED)
    assert bool(value["conflict"]) is (status is Status.CONFLICT)
    assert bool(value["related"]) is (status is Status.NOT_FOUND)
    assert value["missing"] == {
        Status.NEEDS_DATE: {"reason": "date"},
        Status.BLOCKED: {"reason": "no_owner"},
        Status.UNAVAILABLE: {"reason": "component_down"},
    }.get(status)
    assert "503" not in str(value), "what is broken is for the log"


def test_a_citation_is_literal_and_leads_to_its_place() -> None:
    [claim] = said(Status.ANSWERED)["claims"]
    assert set(claim) == {"text", "citations"}
    [cited] = claim["citations"]
    assert set(cited) == CITATION
    assert cited["quote"] == ONE.text[cited["start"] - 100 : cited["end"] - 100] == "O prazo é de 4 horas."
    assert cited["url"] == "/documentos/doc-1/v1/#secao"
    assert (cited["page"], cited["valid_from"], cited["valid_until"]) == (12, "2026-03-01", None)
    sources = said(Status.CONFLICT)["conflict"]["sources"]
    assert [set(source) for source in sources] == [CITATION, CITATION]
    assert [set(item) for item in said(Status.NOT_FOUND)["related"]] == [CITATION]


def test_without_a_channel_there_is_none() -> None:
    assert answer(outcome(), evidence="abc", channel=None)["channel"] is None


def test_a_trace_gives_stages_and_reasons_and_no_text() -> None:
    value = json.loads(json.dumps(trace(outcome(), VERSIONS)))
    assert set(value) == {"stages", "excluded", "rules_version", "index_version", "prompt_version", "parts"}
    assert value["stages"] == [{"name": "search", "in": 3, "out": 2, "ms": 1.5, "by_corpus": {"official": 2}}]
    assert value["excluded"] == [{"document": "outro", "revision": "v1", "reason": "retired"}]
    assert (value["rules_version"], value["index_version"], value["prompt_version"]) == ("rules-1", "postgres-1", "1")
    assert all(value["parts"].values())
    assert ONE.text not in str(value)


def test_the_reasons_are_the_public_ones() -> None:
    public = (
        "no_permission, not_yet_in_force, expired, superseded, retired, draft, no_owner, out_of_scope,"
        " other_jurisdiction, duplicate, lower_precedence, below_threshold, budget, index_stale"
    )
    assert set(Reason) - {Reason.ELIGIBLE} == set(public.split(", "))
    assert {str(corpus) for corpus in Corpus} == {"official", "wiki", "minutes"}
