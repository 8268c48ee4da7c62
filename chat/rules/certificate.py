"""The certificate of one answer: its record, the passages it was made from, its place in the chain, and a seal.

What `check` finds true without any database:

- the record is, to the last character, the one whose hash it names, and it follows the record before it;
- each passage is the text that was sent, by its hash and length, and each quote stands in one at its place;
- the hash is one leaf of the tree whose root covers all records when the certificate was made;
- nobody changed the certificate since a portal that holds the secret made it.

What it can't show: that the portal's clock was right, that the passages were all there was to find, or, without a root
that was noted elsewhere, that the portal itself did not write its chain anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from chat.rules import evidence, merkle
from documents.rules.canonical import canonical
from documents.rules.normalise import text_hash

FORMAT = "certificate-1"
RECORD = frozenset(
    {"sequence", "id", "recorded_at", "status", "on", "reader_key", "body", "previous_hash", "hash"}
)  # fmt: skip
CHAIN = frozenset({"size", "root", "proof"})
Seal = Callable[[bytes], str]


class Finding(StrEnum):
    """What is looked at, in this order."""

    SHAPE = "shape"
    RECORD = "record"
    COLUMNS = "columns"
    PASSAGES = "passages"
    QUOTES = "quotes"
    CHAIN = "chain"
    SEAL = "seal"
    ROOT = "root"


@dataclass(frozen=True, slots=True)
class Found:
    """`held` is None where it can't be told: a text that was left out, a seal of another portal."""

    finding: Finding
    held: bool | None


def certificate(
    record: Mapping[str, Any],
    texts: Sequence[str | None],
    *,
    place: merkle.Place,
    issued_at: datetime,
    seal: Seal,
) -> dict[str, Any]:
    """The certificate of `record` (a line of the JSONL export).

    `texts` are its passages in the order sent, None where the text may not be given; `place` is where it stands in the
    chain.
    """
    made: dict[str, Any] = {
        "format": FORMAT,
        "issued_at": issued_at.isoformat(),
        "record": dict(record),
        "passages": list(texts),
        "chain": {"size": place.size, "root": place.root, "proof": list(place.proof)},
    }
    return {**made, "seal": seal(canonical(made))}


def check(value: Mapping[str, Any], *, seal: Seal | None, root: str | None = None) -> tuple[Found, ...]:
    """Everything that can be told of a certificate. `seal` is None where the portal's secret is not at hand.

    `root` is one that was noted elsewhere when the chain was as long, as `noted` writes it.
    """
    checks: tuple[tuple[Finding, Callable[[Mapping[str, Any]], bool | None]], ...] = (
        (Finding.RECORD, _record_holds),
        (Finding.COLUMNS, _columns_hold),
        (Finding.PASSAGES, _passages_hold),
        (Finding.QUOTES, _quotes_hold),
        (Finding.CHAIN, _chain_holds),
        (Finding.SEAL, lambda given: _seal_holds(given, seal)),
        (Finding.ROOT, lambda given: None if root is None else noted(**_of(given)) == root),
    )
    if not _tried(_shape_holds, value):
        return (Found(Finding.SHAPE, False),)
    return (Found(Finding.SHAPE, True), *(Found(finding, _tried(one, value)) for finding, one in checks))


def noted(*, size: int, root: str) -> str:
    """A root with the number of records that it stands for, in the form in which people keep it."""
    return f"{size}:{root}"


def _of(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"size": value["chain"]["size"], "root": value["chain"]["root"]}


def holds(found: Sequence[Found]) -> bool:
    return all(item.held is not False for item in found)


def _tried(one: Callable[[Mapping[str, Any]], bool | None], value: Mapping[str, Any]) -> bool | None:
    try:
        return one(value)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        return False  # what a certificate never holds: it was not made by a portal


def _shape_holds(value: Mapping[str, Any]) -> bool:
    """Exactly the parts of a certificate: one that no check looks at could say anything."""
    return (
        set(value) == {"format", "issued_at", "record", "passages", "chain", "seal"}
        and value["format"] == FORMAT
        and set(value["record"]) == RECORD
        and set(value["chain"]) == CHAIN
        and datetime.fromisoformat(value["issued_at"]).isoformat() == value["issued_at"]
    )


def _record_holds(value: Mapping[str, Any]) -> bool:
    record = value["record"]
    at = datetime.fromisoformat(record["recorded_at"])
    told = evidence.chained_hash(
        sequence=record["sequence"],
        record_id=record["id"],
        recorded_at=at,
        reader_key=record["reader_key"],
        record=record["body"],
        previous=record["previous_hash"],
    )
    return at.isoformat() == record["recorded_at"] and told == record["hash"]


def _columns_hold(value: Mapping[str, Any]) -> bool:
    record, body = value["record"], value["record"]["body"]
    told = record["status"], record["on"], record["reader_key"]
    return told == (body["status"], body["on"], body["reader"]["key"])


def _passages_hold(value: Mapping[str, Any]) -> bool | None:
    """Whether each text is the one that was sent; None where one was left out and the others hold."""
    sent, texts = value["record"]["body"]["passages"], value["passages"]
    if len(sent) != len(texts):
        return False
    given = [(passage, text) for passage, text in zip(sent, texts, strict=True) if text is not None]
    for passage, text in given:
        if len(text) != passage["end"] - passage["start"] or text_hash(text) != passage["text_hash"]:
            return False
    return True if len(given) == len(sent) else None


def _quotes_hold(value: Mapping[str, Any]) -> bool | None:
    """Whether each quote of the answer stands, letter by letter, in a passage that was sent, at the place it names."""
    told = [_quote_holds(value, cited) for cited in evidence.cited_in(value["record"]["body"])]
    return False if False in told else None if None in told else True


def _quote_holds(value: Mapping[str, Any], cited: Mapping[str, Any]) -> bool | None:
    start, end = cited["start"], cited["end"]
    for passage, text in zip(value["record"]["body"]["passages"], value["passages"], strict=True):
        inside = passage["start"] <= start < end <= passage["end"]
        if passage["revision_id"] == cited["revision_id"] and inside:
            return None if text is None else text[start - passage["start"] : end - passage["start"]] == cited["quote"]
    return False


def _chain_holds(value: Mapping[str, Any]) -> bool:
    record, chain = value["record"], value["chain"]
    index, size = record["sequence"] - 1, chain["size"]
    return merkle.root_of(record["hash"], index, size, chain["proof"]) == chain["root"]


def _seal_holds(value: Mapping[str, Any], seal: Seal | None) -> bool | None:
    if seal is None:
        return None
    unsealed = {name: part for name, part in value.items() if name != "seal"}
    return seal(canonical(unsealed)) == value["seal"]
