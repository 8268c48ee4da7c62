"""From one ranked list to the few passages that are sent: precedence, doubles, authority, budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from documents.rules.passage import Passage
from documents.rules.types import Authority, Reason

IN_PLAY = 8
"""How far down the list a document still speaks to the question, so that a rule of precedence may act on it."""
AS_MUCH = 0.95
"""The share of the first text's coverage from which an official one says as much."""
PER_DOCUMENT = 4
SENT = 6


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with its score; `reason` is why it fell, or `ELIGIBLE`."""

    passage: Passage
    score: float
    reason: Reason = Reason.ELIGIBLE

    @property
    def stands(self) -> bool:
        return self.reason is Reason.ELIGIBLE


Prevails = Callable[[str, str], tuple[str, bool] | None]
"""`(a, b) → (which prevails, whether the other may not be quoted)` for two documents' codes, or None."""


def by_authority(ranked: Sequence[Ranked], covers: Mapping[int, float]) -> list[Ranked]:
    """Put official texts that say as much of the question before an editable or a one-off one that would lead.

    `covers` is the share of the question that each chunk covers. Anybody may word a page so that it lies nearer.
    """
    first = next((item for item in ranked if item.stands), None)
    if first is None or first.passage.authority is Authority.OFFICIAL:
        return list(ranked)
    least = AS_MUCH * covers[first.passage.chunk_id]
    as_good = [
        item
        for item in ranked[:IN_PLAY]
        if item.stands and item.passage.authority is Authority.OFFICIAL and covers[item.passage.chunk_id] >= least
    ]
    if not as_good:
        return list(ranked)
    lift = first.score - as_good[0].score + 0.001
    raised = {item.passage.chunk_id for item in as_good}
    moved = [replace(i, score=i.score + lift) if i.passage.chunk_id in raised else i for i in ranked]
    return sorted(moved, key=lambda i: (-round(i.score, 5), i.passage.chunk_id))


def by_precedence(ranked: Sequence[Ranked], prevails: Prevails) -> list[Ranked]:
    """Drop what a mandatory rule excludes, and put first what a preferential one prefers.

    Who prevails has to be in play; who yields may stand anywhere.
    """
    codes = list(dict.fromkeys(item.passage.document for item in ranked))
    in_play = list(dict.fromkeys(item.passage.document for item in ranked[:IN_PLAY]))
    excluded: set[str] = set()
    best: dict[str, float] = {}
    for item in ranked:
        best[item.passage.document] = max(item.score, best.get(item.passage.document, item.score))
    raised: dict[str, float] = {}
    yields: Counter[str] = Counter()
    for number, a in enumerate(in_play):
        for b in codes[number + 1 :]:
            ruling = prevails(a, b)
            if ruling is None or ruling[0] not in in_play:
                continue
            winner, strict = ruling
            loser = b if winner == a else a
            yields[loser] += 1
            if strict:
                excluded.add(loser)
            elif best[loser] > best[winner]:
                raised[winner] = max(raised.get(winner, 0.0), best[loser] - best[winner])
    moved = [
        replace(item, reason=Reason.LOWER_PRECEDENCE)
        if item.passage.document in excluded
        else replace(item, score=item.score + raised.get(item.passage.document, 0.0))
        for item in ranked
    ]
    # Who prevails is raised to the level of who yields: there the rule decides, not the rounding of a sum.
    return sorted(moved, key=lambda i: (-round(i.score, 5), yields[i.passage.document], i.passage.chunk_id))


def by_naming(ranked: Sequence[Ranked], unnamed: Mapping[int, Sequence[str]]) -> list[Ranked]:
    """Where some passage has everything that the question names, those that do not may not speak.

    `unnamed` is of `naming.unnamed`. Where no passage has it all the list stays: the refusal is another rule.
    """
    if not any(item.stands and not unnamed[item.passage.chunk_id] for item in ranked):
        return list(ranked)
    return [
        replace(item, reason=Reason.BELOW_THRESHOLD) if item.stands and unnamed[item.passage.chunk_id] else item
        for item in ranked
    ]


def without_doubles(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same text twice says nothing more: the better placed one stays."""
    seen: set[str] = set()
    kept = []
    for item in ranked:
        double = item.stands and item.passage.text_hash in seen
        kept.append(replace(item, reason=Reason.DUPLICATE) if double else item)
        if item.stands:
            seen.add(item.passage.text_hash)
    return kept


def official_first(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Where an official text leads, editable ones may not speak beside it: they could only repeat or contradict it."""
    first = next((item for item in ranked if item.stands), None)
    if first is None or first.passage.authority is not Authority.OFFICIAL:
        return list(ranked)
    return [
        replace(item, reason=Reason.LOWER_PRECEDENCE)
        if item.stands and item.passage.authority is Authority.UNOFFICIAL
        else item
        for item in ranked
    ]


def cut(ranked: Sequence[Ranked], sent: int = SENT, per_document: int = PER_DOCUMENT) -> list[Ranked]:
    """At most `sent` passages and `per_document` of each; the rest fell to the budget."""
    counts: Counter[str] = Counter()
    kept = []
    for item in ranked:
        full = counts.total() >= sent or counts[item.passage.document] >= per_document
        counts[item.passage.document] += item.stands and not full
        kept.append(replace(item, reason=Reason.BUDGET) if item.stands and full else item)
    return kept
