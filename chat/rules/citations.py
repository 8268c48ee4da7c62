"""The verdict on each claim: is it borne out, word for word, by the one passage that it cites?

A claim stands when its passage was sent, its quote is found there literally, says enough to be evidence and isn't cut
so that its meaning turns, and nothing that can mislead (amounts, dates, units, negations, modal words, exceptions,
conditions, bounds, names, codes, content words) differs between the claim and the quote. No model judges; nothing here
reads a clock, a setting or a database. What it can't see: who does what to whom ("A pays B" for "B pays A").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chat.rules.types import DraftClaim, GlossaryTerm, Passage, Verdict
from chat.rules.verify.compare import compare
from chat.rules.verify.context import cuts_meaning, is_specific, lead_of, table_head
from chat.rules.verify.copying import altered
from chat.rules.verify.markers import MODAL, POLAR
from chat.rules.verify.reading import read
from documents.rules.normalise import NORMALISATION_VERSION, normalise, occurrences

VERIFIER_VERSION = f"1+n{NORMALISATION_VERSION}"

OK = "ok"
REASONS = (
    OK,
    "unknown_passage",
    "empty_claim",
    "empty_quote",
    "quote_not_found",
    "quote_too_short",
    "quote_cuts_meaning",
    "number_not_in_quote",
    "number_misplaced",
    "unit_changed",
    "date_not_in_quote",
    "time_not_in_quote",
    "negation_changed",
    "modality_changed",
    "qualifier_changed",
    "name_not_in_quote",
    "name_misplaced",
    "words_misplaced",
    "unsupported_words",
)
_LETTER = re.compile(r"\w")


def verify(
    claims: Sequence[DraftClaim], passages: Sequence[Passage], glossary: Sequence[GlossaryTerm] = ()
) -> list[Verdict]:
    """One verdict per claim, in order. `passages` are those sent, numbered from 1 in this order.

    A term of `glossary` may stand in a claim where the passage uses one of its expansions ("SLA" for "prazo").

    An accepted verdict holds the span of the quote in `passage.text` and its literal text; a refused one a code of
    `REASONS`. A claim that is refused says nothing about the others.
    """
    return [_verdict(claim, passages, glossary) for claim in claims]


def _verdict(claim: DraftClaim, passages: Sequence[Passage], glossary: Sequence[GlossaryTerm]) -> Verdict:
    if not 1 <= claim.passage <= len(passages):
        return Verdict(claim, False, "unknown_passage")
    if not _LETTER.search(normalise(claim.text)):
        return Verdict(claim, False, "empty_claim")
    if not _LETTER.search(normalise(claim.quote)):
        return Verdict(claim, False, "empty_quote")
    passage = passages[claim.passage - 1]
    reason = "quote_not_found"
    # The same words may stand twice, once under a negation: the claim needs one place that bears it out.
    for start, end in occurrences(claim.quote, passage.text):
        reason = _judge(claim, passage, start, end, glossary)
        if reason == OK:
            return Verdict(claim, True, OK, start, end, passage.text[start:end])
    return Verdict(claim, False, reason)


def _judge(claim: DraftClaim, passage: Passage, start: int, end: int, glossary: Sequence[GlossaryTerm]) -> str:
    if not is_specific(passage, start, end):
        return "quote_too_short"
    if cuts_meaning(passage, start, end):
        return "quote_cuts_meaning"
    quote = passage.text[start:end]
    lead = lead_of(passage, start, end)
    if _same(claim.text, quote):
        governed = {marker.mark for marker in read(lead).markers} & (POLAR | MODAL) if lead else set()
        return OK if not governed else "negation_changed" if governed & POLAR else "modality_changed"
    if lead and _same(claim.text, f"{lead} {quote}"):
        return OK
    subject = read("\n".join((passage.title, passage.heading, passage.section, table_head(passage, start))))
    ground = f"{lead} {quote}" if lead else quote
    evidence = read(ground)
    known = evidence.stems | subject.stems
    aliases = frozenset(
        entry.term.lower() for entry in glossary if any(_said(text, known) for text in entry.expansions)
    )
    return compare(read(claim.text), evidence, subject, aliases) or altered(claim.text, ground) or OK


def _said(expansion: str, known: frozenset[str]) -> bool:
    stems = read(expansion).stems
    return bool(stems) and stems <= known


def _same(claim: str, quote: str) -> bool:
    """Equal but for the first letter's case, spacing, and punctuation around."""
    return _plain(claim) == _plain(quote)


def _plain(text: str) -> str:
    bare = re.sub(r"\s+", "", normalise(text)).strip(".;:,!?-•*\"'|")
    return bare[:1].lower() + bare[1:]
