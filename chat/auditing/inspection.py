"""One record explained: the values that its page shows, put together from the record and what the tables hold now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chat import chain
from chat.auditing import words
from chat.auditing.disclosure import Disclosure, disclosed, texts
from chat.auditing.sources import Source, sources_of
from chat.models import EvidenceRecord
from chat.replay import PASSED
from chat.rules.evidence import cited_in
from chat.rules.marked import Part, parts
from chat.rules.why import why
from documents.rules.types import Corpus, Reader

Row = Mapping[str, Any]
GAP = " […] "


@dataclass(frozen=True, slots=True)
class StageRow:
    """How many candidates went in and came out, altogether and by corpus, in the order of `Corpus`.

    What went in by corpus is what came out of the step before; None where that was another number.
    """

    name: str
    entered: int
    left: int
    by_corpus: tuple[tuple[int | None, int], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that ended alike, and the revisions that they are of (`code@label`)."""

    reason: str
    why: str
    candidates: Sequence[Row]
    revisions: Sequence[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage as it was sent; where its text does not open to whoever looks, `parts` are its quotes alone."""

    row: Row
    title: str
    parts: Sequence[Part]
    opens: bool


@dataclass(frozen=True, slots=True)
class Refused:
    row: Row
    why: str


@dataclass(frozen=True, slots=True)
class Named:
    """A value under a name in words."""

    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Inspection:
    body: Row
    why: str
    lookalikes: Sequence[Group]
    disclosure: Disclosure
    withheld: Sequence[str]
    links: chain.Links
    stages: Sequence[StageRow]
    groups: Sequence[Group]
    passages: Sequence[Passage]
    refused: Sequence[Refused]
    sources: Sequence[Source]
    versions: Sequence[Named]
    signals: Sequence[Named]
    timings: Sequence[Named]


def inspect(record: EvidenceRecord, reader: Reader) -> Inspection:
    """Everything about a record that this reader, an auditor, may see. About ten queries, however long the record."""
    disclosure = disclosed(reader, [record])
    body = disclosure.body(record)
    groups = _groups(body["candidates"], sent=bool(body["passages"]))
    return Inspection(
        body=body,
        why=words.say(words.WHY_NOT, why(record.body) or ""),
        lookalikes=[group for group in groups if group.reason not in PASSED],
        disclosure=disclosure,
        withheld=disclosure.withheld(record),
        links=chain.links(record),
        stages=_stages(body),
        groups=groups,
        passages=_passages(record, disclosure),
        refused=[Refused(item, words.say(words.REFUSED, item["reason"])) for item in body["refused"]],
        sources=sources_of(record, disclosure),
        versions=_named(words.VERSION, body["versions"]),
        signals=_named(words.SIGNAL, body["signals"]),
        timings=_named(words.STEP, body["timings_ms"]),
    )


def _stages(body: Row) -> list[StageRow]:
    rows: list[StageRow] = []
    before: Row = {}
    for stage in body["stages"]:
        same = sum(before.values()) == stage["in"] and bool(before)
        rows.append(
            StageRow(
                words.say(words.STAGE, stage["name"]),
                stage["in"],
                stage["out"],
                tuple((before.get(c, 0) if same else None, stage["by_corpus"].get(c, 0)) for c in Corpus),
            )
        )
        before = stage["by_corpus"]
    return rows


def _groups(candidates: Iterable[Row], *, sent: bool) -> list[Group]:
    """What was sent first, then what fell among those that might have been, then what might not; largest first."""
    best = "eligible" if sent else "not_sent"
    held: dict[str, list[Row]] = {}
    for item in candidates:
        held.setdefault(item["reason"], []).append(item)
    order = sorted(held, key=lambda reason: (reason != "eligible", reason not in PASSED, -len(held[reason]), reason))
    return [
        Group(
            reason,
            words.say(words.REASON, best if reason == "eligible" else reason),
            held[reason],
            list(dict.fromkeys(f"{item['document']}@{item['revision']}" for item in held[reason])),
        )
        for reason in order
    ]


def _passages(record: EvidenceRecord, disclosure: Disclosure) -> list[Passage]:
    sent = record.body["passages"]
    quoted = cited_in(record.body)
    titles = disclosure.titles()
    titles |= {cited["revision_id"]: cited["title"] for cited in quoted if cited["revision_id"] in disclosure.quotable}
    shown = zip(sent, texts(sent, disclosure.open), strict=True)
    return [
        Passage(
            passage,
            titles.get(passage["revision_id"], ""),
            _quotes(passage, quoted, disclosure) if text is None else parts(text, _spans(passage, quoted)),
            text is not None,
        )
        for passage, text in shown
    ]


def _quotes(passage: Row, quoted: Iterable[Row], disclosure: Disclosure) -> list[Part]:
    """What the answer said of a passage, cut out of it: what lies between does not open."""
    if passage["revision_id"] not in disclosure.quotable:
        return []
    told = {(cited["start"], cited["end"]): cited["quote"] for cited in quoted if _inside(passage, cited)}
    pieces = [part for place in sorted(told) for part in (Part(GAP, False), Part(told[place], True))]
    return [*pieces, Part(GAP, False)] if pieces else []


def _inside(passage: Row, cited: Row) -> bool:
    span = passage["start"] <= cited["start"] < cited["end"] <= passage["end"]
    return span and bool(cited["revision_id"] == passage["revision_id"])


def _spans(passage: Row, quoted: Iterable[Row]) -> list[tuple[int, int]]:
    """Where the answer quotes the passage, counted from its start."""
    start = passage["start"]
    return [(cited["start"] - start, cited["end"] - start) for cited in quoted if _inside(passage, cited)]


def _named(names: words.Words, values: Mapping[str, object]) -> list[Named]:
    """In the order of `names`, then what has no words yet."""
    known = [code for code in names if code in values]
    return [Named(words.say(names, code), values[code]) for code in (*known, *sorted(set(values) - set(known)))]
