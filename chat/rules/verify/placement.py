"""Facts that are all in the quote, but changed places in the claim: lunch at the price of dinner."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from chat.rules.verify.facts import Facts, Value, keys_of
from chat.rules.verify.units import DURATIONS
from chat.rules.verify.words import Code, Word


def misplaced(claim: Facts, evidence: Facts) -> str | None:
    """The code of an amount, date, code or name that the claim sets beside the wrong words, or None.

    What gives it away: a word that the quote puts beside a rival (another amount of the same unit, another code) only,
    while the claim has no word that the quote puts beside this one only.
    """
    for value in claim.values:
        rivals = [other for other in evidence.values if _dimension(other) == _dimension(value)]
        here = [other.start for other in rivals if value.equals(other)]
        there = [other.start for other in rivals if not value.equals(other)]
        if _swapped(_beside([value.start], claim), _beside(here, evidence), _beside(there, evidence)):
            return "number_misplaced"
    for code in claim.codes:
        here = [other.start for other in evidence.codes if other.key == code.key]
        there = [other.start for other in evidence.codes if other.key != code.key]
        if _swapped(_words([code.start], claim), _words(here, evidence), _words(there, evidence)):
            return "name_misplaced"
    for name in (word for word in claim.words if word.name):
        here = [other.start for other in evidence.words if other.name and other.stem == name.stem]
        there = [other.start for other in evidence.words if other.name and other.stem != name.stem]
        if _swapped(_words([name.start], claim), _words(here, evidence), _words(there, evidence)):
            return "name_misplaced"
    return "words_misplaced" if _crossed(claim, evidence) else None


def _crossed(claim: Facts, evidence: Facts) -> bool:
    """Whether a part of the claim has the head of one part of the quote and the tail of another, and only these.

    "O analista viaja em econômica e o diretor em executiva" doesn't say that the analyst flies business.
    """
    for place in (Facts.part, Facts.statement):
        ends = _ends(evidence, place)
        for said in _sides(claim):
            for head, tail in ends:
                for other_head, other_tail in ends:
                    if head & said and not tail & said and not other_head & said and other_tail & said - tail - head:
                        return True
    return False


def _ends(facts: Facts, place: Callable[[Facts, int], int]) -> list[tuple[frozenset[Hashable], frozenset[Hashable]]]:
    """The keys of the first and of the last item of each part or statement that has at least two."""
    items = sorted((item for group in (facts.words, facts.codes, facts.values) for item in group), key=_start)
    parts: dict[int, list[frozenset[Hashable]]] = {}
    for item in items:
        parts.setdefault(place(facts, item.start), []).append(frozenset(keys_of(item)))
    return [(keys[0], keys[-1]) for keys in parts.values() if len(keys) > 1]


def _sides(facts: Facts) -> list[set[Hashable]]:
    """The keys of each part of a claim."""
    sides: dict[int, set[Hashable]] = {}
    for group in (facts.words, facts.codes, facts.values):
        for item in group:
            sides.setdefault(facts.part(item.start), set()).update(keys_of(item))
    return list(sides.values())


def _start(item: Word | Code | Value) -> int:
    return item.start


def _swapped(said: set[Hashable], mine: set[Hashable], theirs: set[Hashable]) -> bool:
    return bool(mine and said & (theirs - mine) and not said & (mine - theirs))


def _dimension(value: Value) -> str:
    """What may be mistaken for what: lengths of time among themselves, dates with dates, else the same unit."""
    if value.kind == "number" and value.unit in DURATIONS:
        return "time"
    return value.kind if value.kind != "number" else f"number {value.unit}"


def _words(places: Iterable[int], facts: Facts) -> set[Hashable]:
    """The common words that share a part with one of the places."""
    parts = {facts.part(at) for at in places}
    return {word.stem for word in facts.words if not word.name and facts.part(word.start) in parts}


def _beside(places: Iterable[int], facts: Facts) -> set[Hashable]:
    """The words and codes that share a part with one of the places."""
    parts = {facts.part(at) for at in places}
    items = [item for group in (facts.words, facts.codes) for item in group if facts.part(item.start) in parts]
    return {key for item in items for key in keys_of(item)}
