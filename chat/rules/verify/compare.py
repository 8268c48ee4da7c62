"""The comparison of a claim with its evidence, fact by fact: what it adds, what it changes, what it leaves out."""

from __future__ import annotations

from chat.rules.verify.facts import Facts, Value
from chat.rules.verify.markers import MODAL, POLAR
from chat.rules.verify.omissions import GOVERNING, code_of, left_out, speaks_of_same
from chat.rules.verify.placement import misplaced
from chat.rules.verify.words import code_key, word_key


def compare(claim: Facts, evidence: Facts, subject: Facts, aliases: frozenset[str] = frozenset()) -> str | None:
    """The code of the first thing in `claim` that `evidence` doesn't bear out, or None.

    `subject` is the heading of the passage: it may lend the claim its names and nouns, never an amount or a marker.
    `aliases` are terms, in lower case, that the glossary says the evidence speaks of in other words.
    """
    return (
        _values(claim, evidence)
        or _codes(claim, evidence, subject, aliases)
        or _markers(claim, evidence)
        or left_out(claim, evidence)
        or _words(claim, evidence, subject, aliases)
        or misplaced(claim, evidence)
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
        if (
            value.noun
            and all(other.noun and other.noun != value.noun for other in same_per)
            and any(other.noun == value.noun for other in evidence.values)
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
    years = {
        key[0] for other in evidence.values if other.kind == "date" for key in other.keys if isinstance(key, tuple)
    }
    return value.number in years


def _codes(claim: Facts, evidence: Facts, subject: Facts, aliases: frozenset[str]) -> str | None:
    known = evidence.code_keys | subject.code_keys | {code_key(alias) for alias in aliases}
    numbers = {
        f"{value.number:f}" for facts in (evidence, subject) for value in facts.values if value.number is not None
    }
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
            return code_of(marker.mark)
        if marker.mark in GOVERNING and not any(speaks_of_same(marker, other) for other in evidence.markers):
            return code_of(marker.mark)
    return None


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
