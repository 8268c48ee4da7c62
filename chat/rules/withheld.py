"""What of a record is kept from whoever opens it and may not read a source of it: its words, never that it was there.

A document that a person may not read is told by its code, its revision and the reason; its title, its headings and its
sentences are left out. `None` stands where a text was left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from chat.rules.evidence import quoted_in

Body = Mapping[str, Any]
WORDS = ("title", "section", "anchor", "page", "quote", "url")
"""The parts of a citation that hold or point into the text of a document."""


def sources(body: Body) -> frozenset[str]:
    """The ids of every revision that a body quotes or sent: whose words it may hold."""
    return frozenset(str(item["revision_id"]) for item in (*quoted_in(body), *body["passages"]))


def withhold(body: Body, quotable: Collection[str]) -> dict[str, Any]:
    """A copy of the body without the words of revisions that are not in `quotable` (ids)."""
    sent = {passage["number"]: passage["revision_id"] in quotable for passage in body["passages"]}
    return {
        **body,
        "claims": [_claim(claim, quotable) for claim in body["claims"]],
        "conflict": [_citation(cited, quotable) for cited in body["conflict"]],
        "related": [_citation(cited, quotable) for cited in body["related"]],
        # What a model wrote may come from any passage that it was sent.
        "refused": [item if sent and all(sent.values()) else _unsaid(item) for item in body["refused"]],
        "passages": [
            passage if sent[passage["number"]] else {**passage, "anchor": None} for passage in body["passages"]
        ],
    }


def withheld(body: Body, quotable: Collection[str]) -> tuple[str, ...]:
    """`code@label` of every source whose words are left out for who may read `quotable` alone, sorted."""
    named = {
        f"{item['document']}@{item['revision']}"
        for item in (*quoted_in(body), *body["passages"])
        if item["revision_id"] not in quotable
    }
    return tuple(sorted(named))


def _claim(claim: Mapping[str, Any], quotable: Collection[str]) -> dict[str, Any]:
    citations = [_citation(cited, quotable) for cited in claim["citations"]]
    whole = all(cited["revision_id"] in quotable for cited in citations)
    return {**claim, "text": claim["text"] if whole else None, "citations": citations}


def _citation(cited: Mapping[str, Any], quotable: Collection[str]) -> dict[str, Any]:
    if cited["revision_id"] in quotable:
        return dict(cited)
    return {**cited, **dict.fromkeys(WORDS)}


def _unsaid(refused: Mapping[str, Any]) -> dict[str, Any]:
    return {**refused, "text": None, "quote": None}
