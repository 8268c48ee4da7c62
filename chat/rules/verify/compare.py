"""The comparison of a claim with its evidence, fact by fact: what it adds, what it changes, what it leaves out."""

from __future__ import annotations

from chat.rules.verify.facts import Facts, Scoped, Value
from chat.rules.verify.markers import MODAL, POLAR, RESTRICTIVE, Mark
from chat.rules.verify.words import code_key, word_key

# Marks whose loss changes what may be done; the loss of "can" or "should" does as much as that of "must".
_GOVERNING = POLAR | MODAL


def compare(claim: Facts, evidence: Facts, subject: Facts, aliases: frozenset[str] = frozenset()) -> str | None:
    """The code of the first thing in `claim` that `evidence` doesn't bear out, or None.

    `subject` is the heading of the passage: it may lend the claim its names and nouns, never an amount or a marker.
    `aliases` are terms, in lower case, that the glossary says the evidence speaks of in other words.
    """
    return (
        _values(claim, evidence)
        or _codes(claim, evidence, subject, aliases)
        or _markers(claim, evidence)
        or _left_out(claim, evidence)
        or _words(claim, evidence, subject, aliases)
        or _misplaced(claim, evidence)
    )


def _values(claim: Facts, evidence: Facts) -> str | None:
    for value in claim.values:
        same = [other for other in evidence.values if value.equals(other)]
        if not same and _is_year_of_a_date(value, evidence):
            continue
        if not same:
            return _missing(value, evidence)
        same_per = [other for other in same if other.per == value.per]
        if not same_per:
            return "unit_changed"
        if value.noun and all(other.noun and other.noun != value.noun for other in same_per) and any(
            other.noun == value.noun for other in evidence.values
        ):
            return "number_misplaced"
        if all(other.bounds != value.bounds for other in same_per):
            return "qualifier_changed"
    return None


def _missing(value: Value, evidence: Facts) -> str:
    if value.kind == "date":
        return "date_not_in_quote"
    if value.number is not None and any(other.number == value.number for other in evidence.values):
        return "unit_changed"
    return "time_not_in_quote" if value.kind == "time" and value.number is None else "number_not_in_quote"


def _is_year_of_a_date(value: Value, evidence: Facts) -> bool:
    if value.kind != "number" or value.unit or value.number is None:
        return False
    years = {key[0] for other in evidence.values if other.kind == "date" for key in other.keys if isinstance(key, tuple)}
    return value.number in years


def _codes(claim: Facts, evidence: Facts, subject: Facts, aliases: frozenset[str]) -> str | None:
    known = evidence.code_keys | subject.code_keys | {code_key(alias) for alias in aliases}
    numbers = {str(int(v.number)) for f in (evidence, subject) for v in f.values
               if v.number is not None and v.number == int(v.number)}  # fmt: skip
    for code in claim.codes:
        if code.key not in known | numbers and not any(other.startswith(f"{code.key}/") for other in known):
            return "name_not_in_quote"
    return None


def _markers(claim: Facts, evidence: Facts) -> str | None:
    there = {marker.mark for marker in evidence.markers}
    # The most telling difference first: a lost or added "not" before the modal that goes with it.
    for marker in sorted(claim.markers, key=lambda marker: marker.mark not in POLAR):
        if marker.mark not in there:
            if marker.mark in MODAL and POLAR & there and not POLAR & {m.mark for m in claim.markers}:
                return "negation_changed"
            return _code(marker.mark)
        if marker.mark in _GOVERNING and not any(_speaks_of_same(marker, other) for other in evidence.markers):
            return _code(marker.mark)
    return None


def _speaks_of_same(marker: Scoped, other: Scoped) -> bool:
    if marker.mark is not other.mark:
        return False
    if not marker.scope or not other.scope:
        return True
    if marker.predicate and other.predicate:
        return marker.predicate in other.scope
    return not marker.scope.isdisjoint(other.scope)


def _left_out(claim: Facts, evidence: Facts) -> str | None:
    used = _used_statements(claim, evidence)
    present = {marker.mark for marker in claim.markers}
    for marker in evidence.markers:
        if marker.mark in _GOVERNING and _touched(marker, claim, marker.statement in used):
            if not any(_speaks_of_same(mine, marker) or _speaks_of_same(marker, mine) for mine in claim.markers):
                return _code(marker.mark)
        elif marker.mark in RESTRICTIVE and marker.statement in used and marker.mark not in present:
            return "qualifier_changed"
    for value in evidence.values:
        if value.bounds and evidence.statement(value.start) in used and not any(value.equals(mine) for mine in claim.values):
            return "qualifier_changed"
    return None


def _touched(marker: Scoped, claim: Facts, used: bool) -> bool:
    """Whether the claim says what the marker governs."""
    stems = claim.stems
    if marker.predicate:
        return marker.predicate in stems or len(marker.scope & stems) >= 2
    if not marker.scope:
        return used
    return used and 2 * len(marker.scope & stems) >= len(marker.scope)


def _used_statements(claim: Facts, evidence: Facts) -> frozenset[int]:
    """The statements of the quote that the claim draws on: two facts in common, or half of a short statement's."""
    shared: dict[int, list[bool]] = {}
    stems = claim.stems
    for word in evidence.words:
        shared.setdefault(evidence.statement(word.start), []).append(word.stem in stems)
    for value in evidence.values:
        shared.setdefault(evidence.statement(value.start), []).append(any(value.equals(mine) for mine in claim.values))
    return frozenset(at for at, hits in shared.items() if sum(hits) >= 2 or 2 * sum(hits) >= len(hits))


def _words(claim: Facts, evidence: Facts, subject: Facts, aliases: frozenset[str]) -> str | None:
    exact = {word.text.lower() for facts in (evidence, subject) for word in facts.words} | aliases
    known = evidence.stems | subject.stems | {word_key(alias, exact=False) for alias in aliases if alias.isalpha()}
    for word in claim.words:
        if word.exact and word.text.lower() not in exact:
            return "name_not_in_quote"
        if not word.exact and word.stem not in known:
            return "name_not_in_quote" if word.name else "unsupported_words"
    borne = evidence.stems & claim.stems or any(v.equals(o) for v in claim.values for o in evidence.values)
    return None if borne or claim.code_keys & evidence.code_keys else "unsupported_words"


def _misplaced(claim: Facts, evidence: Facts) -> str | None:
    """Two amounts of one unit that changed places: lunch at the price of dinner.

    What gives it away: a word that the quote puts beside another amount of the same unit only, while the claim has no
    word that the quote puts beside this amount only.
    """
    for value in claim.values:
        rivals = [other for other in evidence.values if other.kind == value.kind and other.unit == value.unit]
        mine = _beside([other for other in rivals if value.equals(other)], evidence)
        theirs = _beside([other for other in rivals if not value.equals(other)], evidence)
        said = {word.stem for word in claim.words if claim.part(word.start) == claim.part(value.start)}
        if mine and said & (theirs - mine) and not said & (mine - theirs):
            return "number_misplaced"
    return None


def _beside(values: list[Value], facts: Facts) -> set[str]:
    parts = {facts.part(value.start) for value in values}
    return {word.stem for word in facts.words if facts.part(word.start) in parts}


def _code(mark: Mark) -> str:
    if mark in POLAR:
        return "negation_changed"
    return "modality_changed" if mark in MODAL else "qualifier_changed"

