"""What a claim leaves out of the sentence that it uses: a negation, a modal, an exception, a condition, a bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from chat.rules.verify.facts import Facts, Scoped, Value
from chat.rules.verify.markers import MODAL, POLAR, RESTRICTIVE, Mark

# Marks whose loss changes what may be done; the loss of "can" or "should" does as much as that of "must".
GOVERNING = POLAR | MODAL


def left_out(claim: Facts, evidence: Facts) -> str | None:
    used = _used_statements(claim, evidence)
    present = Counter(marker.mark for marker in claim.markers)
    said = claim.everything
    for marker in evidence.markers:
        if marker.mark in GOVERNING and _touched(marker, said, marker.statement in used):
            if not (_taken_up(marker, claim) or _stands_apart(marker, claim, evidence, said)):
                return code_of(marker.mark)
        elif marker.mark in RESTRICTIVE and marker.statement in used:
            present[marker.mark] -= 1
            if present[marker.mark] < 0:
                return "qualifier_changed"
    if any(opening.statement in used and said.isdisjoint(opening.facts) for opening in evidence.openings):
        return "qualifier_changed"
    parts = _best(claim, evidence, Facts.part)
    for value in evidence.values:
        if value.bounds and _home(value, evidence) in parts and not any(value.equals(mine) for mine in claim.values):
            return "qualifier_changed"
    return None


def _touched(marker: Scoped, said: frozenset[Hashable], used: bool) -> bool:
    """Whether the claim says what the marker governs."""
    if marker.predicate:
        return marker.predicate in said or len(marker.scope & said) >= 2
    if not marker.scope:
        return used
    return used and 2 * len(marker.scope & said) >= len(marker.scope)


def _taken_up(marker: Scoped, claim: Facts) -> bool:
    return any(speaks_of_same(mine, marker) or speaks_of_same(marker, mine) for mine in claim.markers)


def _stands_apart(marker: Scoped, claim: Facts, evidence: Facts, said: frozenset[Hashable]) -> bool:
    """Whether the claim tells the other half of a pair: "mandatory in the yard and optional | in the office"."""
    pairs = (other for other in evidence.markers if other.statement == marker.statement and other is not marker)
    return said.isdisjoint(marker.after) and any(_taken_up(other, claim) for other in pairs if other.mark in GOVERNING)


def _used_statements(claim: Facts, evidence: Facts) -> frozenset[int]:
    """The statements of the quote that the claim draws on: the nearest one, and each that adds a fact to it."""
    best = _best(claim, evidence, Facts.statement)
    held = _held(claim, evidence, Facts.statement)
    already = {fact for at in best for fact in held.get(at, ())}
    return best | {at for at, facts in held.items() if facts - already}


def _best(claim: Facts, evidence: Facts, place: Callable[[Facts, int], int]) -> frozenset[int]:
    held = _held(claim, evidence, place)
    most = max(map(len, held.values()), default=0)
    return frozenset(at for at, facts in held.items() if most and len(facts) == most)


def _held(claim: Facts, evidence: Facts, place: Callable[[Facts, int], int]) -> dict[int, set[Hashable]]:
    """By statement or part of the quote: the facts of the claim that stand there."""
    held: dict[int, set[Hashable]] = {}
    stems, marks = claim.stems, {marker.mark for marker in claim.markers}
    for word in evidence.words:
        held.setdefault(place(evidence, word.start), set()).update({word.stem} & stems)
    for marker in evidence.markers:
        held.setdefault(place(evidence, marker.start), set()).update({marker.mark} & marks)
    for value in evidence.values:
        held.setdefault(place(evidence, value.start), set()).update(v.keys for v in claim.values if value.equals(v))
    return held


def _home(value: Value, facts: Facts) -> int:
    """The part that a value speaks of: its own, or the one before when its own has no word ("…, no máximo 5 dias")."""
    part = facts.part(value.start)
    filled = {facts.part(word.start) for word in facts.words}
    return max((at for at in filled if at <= part), default=part)


def speaks_of_same(marker: Scoped, other: Scoped) -> bool:
    if marker.mark is not other.mark:
        return False
    if not marker.scope or not other.scope:
        return True
    if marker.predicate and other.predicate:
        return marker.predicate in other.scope
    return not marker.scope.isdisjoint(other.scope)


def code_of(mark: Mark) -> str:
    if mark in POLAR:
        return "negation_changed"
    return "modality_changed" if mark in MODAL else "qualifier_changed"
