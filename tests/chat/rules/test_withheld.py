"""Words of a document that a person may not read are left out wherever a record holds them; that it was there stays."""

from __future__ import annotations

import json
from typing import Any

from chat.rules.withheld import sources, withheld, withhold

SECRET = "o adicional é de doze por cento"


def cited(revision: str, quote: str) -> dict[str, Any]:
    return {
        "document": f"doc-{revision}", "title": f"Título {quote}", "revision": "v1", "revision_id": revision,
        "section": f"1. {quote}", "anchor": f"secao-{quote}", "page": 3, "quote": quote, "authority": "official",
        "valid_from": "2026-01-01", "valid_until": None, "owner": "RH", "url": f"/documentos/#{quote}", "start": 0,
        "end": 9,
    }  # fmt: skip


def sent(number: int, revision: str) -> dict[str, Any]:
    return {
        "number": number, "document": f"doc-{revision}", "revision": "v1", "revision_id": revision, "start": 0,
        "end": 9, "text_hash": "00", "anchor": SECRET if revision == "2" else "secao-1",
    }  # fmt: skip


BODY: dict[str, Any] = {
    "question": "qual o adicional?",
    "claims": [
        {"text": "aberto", "citations": [cited("1", "aberto")]},
        {"text": f"aberto e {SECRET}", "citations": [cited("1", "aberto"), cited("2", SECRET)]},
    ],
    "conflict": [cited("2", SECRET)],
    "related": [cited("2", SECRET)],
    "refused": [{"text": SECRET, "passage": 1, "quote": SECRET, "reason": "quote_not_found"}],
    "passages": [sent(1, "1"), sent(2, "2")],
    "candidates": [{"document": "doc-2", "revision": "v1", "reason": "budget"}],
}


def test_no_word_of_it_is_left_anywhere() -> None:
    told = json.dumps(withhold(BODY, {"1"}), ensure_ascii=False)
    assert SECRET not in told
    assert "doc-2" in told
    assert withheld(BODY, {"1"}) == ("doc-2@v1",)


def test_the_words_of_the_others_stay() -> None:
    kept = withhold(BODY, {"1"})
    assert kept["claims"][0] == BODY["claims"][0]
    assert kept["claims"][1]["citations"][0] == cited("1", "aberto")
    assert kept["candidates"] == BODY["candidates"]


def test_a_claim_is_left_out_when_any_of_its_sources_is() -> None:
    assert withhold(BODY, {"1"})["claims"][1]["text"] is None


def test_who_may_read_all_gets_the_record_as_it_is() -> None:
    assert sources(BODY) == {"1", "2"}
    assert withhold(BODY, {"1", "2"}) == BODY
    assert withheld(BODY, {"1", "2"}) == ()


def test_who_may_read_nothing_gets_codes_and_reasons() -> None:
    kept = withhold(BODY, frozenset())
    assert [claim["text"] for claim in kept["claims"]] == [None, None]
    assert kept["refused"][0] == {"text": None, "passage": 1, "quote": None, "reason": "quote_not_found"}
    assert withheld(BODY, ()) == ("doc-1@v1", "doc-2@v1")
